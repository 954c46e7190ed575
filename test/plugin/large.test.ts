import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const BIG_TOOL = TOOL.replace("output", "x".repeat(1_000_000));
const BEFORE = stored([TEXT, BIG_TOOL, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };

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
    const parts = Array.from({ length: 60_000 }, (_, at) => REASONING.replace("thought", `${at}`));
    const data = stored([TEXT, ...parts]);
    daemon.insertMessage(data);
    const indexes = parts.map((_, at) => at + 1);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    daemon.beforeStorageSet = () => {
      isDone = true;
    };
    setImmediate(count);
    const answer = await daemon.call("prune", { ...request, revision: revisionOfStored(data), indexes });
    expect(answer).toMatchObject({ status: "pruned", removedCount: 60_000 });
    expect(daemon.data()).toBe(stored([TEXT]));
    expect(turns).toBeGreaterThan(3);
  });
});
