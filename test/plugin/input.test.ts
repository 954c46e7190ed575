import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const BEFORE = stored([TEXT, TOOL, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(BEFORE);
  await daemon.load();
});
afterEach(() => daemon.remove());

/** Each malformed request, and the words in which the refusal must name what is wrong. */
const MALFORMED: readonly (readonly [string, unknown, RegExp])[] = [
  ["an unknown key", { ...request, force: true }, /force/],
  ["replacement content", { ...request, content: [] }, /content/],
  ["a path", { ...request, databasePath: "/tmp/x.db" }, /databasePath/],
  ["duplicate indexes", { ...request, indexes: [1, 1] }, /indexes must be .* unique/],
  ["no index", { ...request, indexes: [] }, /indexes must be 1 to/],
  ["indexes that are no list", { ...request, indexes: 1 }, /indexes must be 1 to/],
  ["a negative index", { ...request, indexes: [-1] }, /indexes must be a whole number from 0/],
  ["a fractional index", { ...request, indexes: [0.5] }, /indexes must be a whole number/],
  ["an index that is text", { ...request, indexes: ["1"] }, /indexes must be a whole number/],
  ["an index past the last", { ...request, indexes: [100_001] }, /from 0 to 100000/],
  [
    "too many indexes",
    { ...request, indexes: Array.from({ length: 100_002 }, (_, at) => at % 100_001) },
    /1 to 100001/,
  ],
  ["an upper-case revision", { ...request, revision: "A".repeat(64) }, /revision must be 64 lower-case/],
  ["a short revision", { ...request, revision: "a".repeat(63) }, /revision must be 64/],
  ["no revision", { ...request, revision: undefined }, /revision must be 64/],
  ["an empty session id", { ...request, sessionID: "" }, /sessionID must be 1 to 256/],
  [
    "a session id of 300 characters",
    { ...request, sessionID: "s".repeat(300) },
    /sessionID must be 1 to 256/,
  ],
  ["a session id that is a number", { ...request, sessionID: 5 }, /sessionID must be/],
  ["an empty message id", { ...request, messageID: "" }, /messageID must be 1 to 256/],
  [
    "a message id of 300 characters",
    { ...request, messageID: "m".repeat(300) },
    /messageID must be 1 to 256/,
  ],
  ["no object", [request], /expected object/],
  ["nothing", null, /expected object/],
];

describe("a malformed prune", () => {
  for (const [what, input, names] of MALFORMED) {
    it(`with ${what} is named and changes nothing`, async () => {
      const before = daemon.everything();
      await expect(daemon.call("prune", input)).rejects.toThrow(names);
      expect(daemon.everything()).toBe(before);
      expect(daemon.storageCalls).toEqual([]);
    });
  }
});

describe("a malformed preview", () => {
  const subject = { sessionID: SESSION, messageID: MESSAGE };
  for (const [what, input] of [
    ["an unknown key", { ...subject, revision: request.revision }],
    ["an empty id", { ...subject, messageID: "" }],
    ["an id of 300 characters", { ...subject, sessionID: "s".repeat(300) }],
    ["no message", { sessionID: SESSION }],
  ] as const) {
    it(`with ${what} is refused`, async () => {
      await expect(daemon.call("preview", input)).rejects.toThrow("rpc.invalid_input");
    });
  }
});
