import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";
import { countTurns } from "./support/turns.ts";

const BIG_TOOL = TOOL.replace("output", "x".repeat(1_000_000));
const BEFORE = stored([TEXT, BIG_TOOL, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };
const PARTS = Array.from({ length: 60_000 }, (_, at) => REASONING.replace("thought", `${at}`));
const MANY = stored([TEXT, ...PARTS]);

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  await daemon.load();
});
afterEach(() => daemon.remove());

describe("a large message", () => {
  it("is previewed and pruned like any other", async () => {
    daemon.insertMessage(BEFORE);
    expect(await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE })).toMatchObject({
      revision: request.revision,
      parts: [
        { index: 1, bytes: Buffer.byteLength(BIG_TOOL) },
        { index: 2, bytes: Buffer.byteLength(REASONING) },
      ],
    });
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
    expect(daemon.data()).toBe(stored([TEXT, REASONING]));
  });

  it("that changes after it was read ahead is read again under the lock", async () => {
    daemon.insertMessage(BEFORE);
    const changed = stored([TEXT, BIG_TOOL, REASONING, TEXT]);
    daemon.beforeStorageSet = () => {
      daemon.database.prepare("UPDATE session_message SET data = ?").run(changed);
    };
    expect(await daemon.call("prune", request)).toEqual({ status: "blocked", reason: "conflict" });
    expect(daemon.data()).toBe(changed);
  });

  it("that cannot be read is refused", async () => {
    daemon.insertMessage(BEFORE.slice(0, -1));
    expect(await daemon.call("prune", request)).toEqual({ status: "blocked", reason: "not_deletable" });
  });

  it("of very many parts lets others work while it is read", async () => {
    daemon.insertMessage(MANY);
    const indexes = PARTS.map((_, at) => at + 1);
    const turns = countTurns();
    daemon.beforeStorageSet = turns.stop;
    const answer = await daemon.call("prune", { ...request, revision: revisionOfStored(MANY), indexes });
    expect(answer).toMatchObject({ status: "pruned", removedCount: 60_000 });
    expect(daemon.data()).toBe(stored([TEXT]));
    expect(turns.count()).toBeGreaterThan(3);
  });

  describe.each(["pruneBatch", "pruneBulk"])("in a call of %s", (method) => {
    const call = async (data: string, candidate: object) => {
      const candidates = [{ messageID: MESSAGE, revision: revisionOfStored(data), ...candidate }];
      const input = { sessionID: SESSION, [method === "pruneBulk" ? "requests" : "candidates"]: candidates };
      return (await daemon.call(method, input)) as { results: { result: unknown }[] };
    };

    it("lets others work while it is read", async () => {
      daemon.insertMessage(MANY);
      const turns = countTurns();
      const { results } = await call(MANY, { toolCount: 0, reasoningCount: 60_000 });
      turns.stop();
      expect(results).toMatchObject([{ result: { status: "pruned", removedCount: 60_000 } }]);
      expect(daemon.data()).toBe(stored([TEXT]));
      expect(turns.count()).toBeGreaterThan(3);
    });

    it("that cannot be read is refused", async () => {
      daemon.insertMessage(BEFORE.slice(0, -1));
      const { results } = await call(BEFORE, { toolCount: 1, reasoningCount: 1 });
      expect(results).toMatchObject([{ result: { status: "blocked", reason: "not_deletable" } }]);
    });

    it("that changes while it is read ahead is read again under the lock", async () => {
      daemon.insertMessage(MANY);
      const changed = stored([TEXT]);
      // Reading begins once the nonce is written, and takes many turns of the event loop.
      daemon.beforeStorageSet = () => {
        setImmediate(() =>
          setImmediate(() => daemon.database.prepare("UPDATE session_message SET data = ?").run(changed)),
        );
      };
      const { results } = await call(MANY, { toolCount: 0, reasoningCount: 60_000 });
      expect(results).toMatchObject([{ result: { status: "blocked", reason: "conflict" } }]);
      expect(daemon.data()).toBe(changed);
    });
  });
});
