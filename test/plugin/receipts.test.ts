import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const FIRST = TOOL.replace("call_1", "call_first");
const SECOND = TOOL.replace("call_1", "call_second");
const BEFORE = stored([FIRST, SECOND, TEXT, REASONING]);
const request = {
  sessionID: SESSION,
  messageID: MESSAGE,
  revision: revisionOfStored(BEFORE),
  indexes: [0, 3],
};

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(BEFORE);
  await daemon.load();
});
afterEach(() => daemon.remove());

const pruned = { status: "pruned", messageID: MESSAGE, removedCount: 2 };
const AFTER = stored([SECOND, TEXT]);

describe("receipts", () => {
  it("make the same request answer the same, delete nothing more, and announce it again", async () => {
    const first = await daemon.call("prune", request);
    const second = await daemon.call("prune", request);
    expect(first).toEqual({ ...pruned, revision: revisionOfStored(AFTER) });
    expect(second).toEqual(first);
    expect(daemon.data()).toBe(AFTER);
    expect(daemon.receipts()).toHaveLength(1);
    const event = {
      name: "pruned",
      data: { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(AFTER) },
    };
    expect(daemon.emitted).toEqual([event, event]);
  });

  it("know the request in any order of its indexes", async () => {
    const first = await daemon.call("prune", request);
    expect(await daemon.call("prune", { ...request, indexes: [3, 0] })).toEqual(first);
    expect(daemon.data()).toBe(AFTER);
  });

  it("answer eight identical requests at once with one deletion", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => daemon.call("prune", request)));
    expect(answers).toEqual(Array(8).fill({ ...pruned, revision: revisionOfStored(AFTER) }));
    expect(daemon.data()).toBe(AFTER);
    expect(daemon.receipts()).toHaveLength(1);
    expect(daemon.nonces()).toEqual([]);
  });

  it("outlive the plugin", async () => {
    const dispose = await daemon.load();
    const first = await daemon.call("prune", request);
    await dispose();
    await daemon.load();
    expect(await daemon.call("prune", request)).toEqual(first);
    expect(daemon.data()).toBe(AFTER);
  });

  it("never match a different request", async () => {
    await daemon.call("prune", request);
    const others = [
      { ...request, indexes: [0] },
      { ...request, indexes: [0, 1, 3] },
      { ...request, revision: "0".repeat(64) },
    ];
    for (const other of others) {
      expect(await daemon.call("prune", other)).toEqual({ status: "blocked", reason: "conflict" });
    }
    expect(await daemon.call("prune", { ...request, messageID: "msg_2" })).toEqual({
      status: "blocked",
      reason: "not_deletable",
    });
    expect(daemon.data()).toBe(AFTER);
  });

  it("hold ids, hashes and counts, and no content", async () => {
    await daemon.call("prune", request);
    const [receipt] = daemon.receipts();
    expect(receipt).toEqual({
      request: expect.stringMatching(/^[0-9a-f]{64}$/),
      session_id: SESSION,
      message_id: MESSAGE,
      revision_before: request.revision,
      revision_after: revisionOfStored(AFTER),
      removed_count: 2,
      time_created: expect.any(Number),
    });
  });

  it("are answered while the session runs, since nothing is deleted then", async () => {
    const first = await daemon.call("prune", request);
    daemon.database.exec("UPDATE session_v2 SET time_suspended = 1");
    expect(await daemon.call("prune", request)).toEqual(first);
  });

  it("are answered when the message is gone, or has grown too large to be read", async () => {
    const first = await daemon.call("prune", request);
    daemon.database.prepare("UPDATE session_message SET data = ?").run(`{"x":"${"x".repeat(17 << 20)}"}`);
    expect(await daemon.call("prune", request)).toEqual(first);
    daemon.database.exec("DELETE FROM session_message");
    expect(await daemon.call("prune", request)).toEqual(first);
  });

  it("are not answered to another location", async () => {
    await daemon.call("prune", request);
    await daemon.load({ location: { directory: "/work/elsewhere", project: { id: "project_1" } } });
    expect(await daemon.call("prune", request)).toEqual({ status: "blocked", reason: "not_deletable" });
  });

  it("are not answered through a copy of the database", async () => {
    await daemon.call("prune", request);
    const copy = `${daemon.folder}/copy.db`;
    daemon.database.exec(`VACUUM INTO '${copy}'`);
    await daemon.load({ databasePath: copy });
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "unsupported_storage",
    });
  });

  it("do not claim a deletion of content that was put back: it goes again, with the same receipt", async () => {
    const first = await daemon.call("prune", request);
    daemon.database.prepare("UPDATE session_message SET data = ?").run(BEFORE);
    daemon.database.exec("UPDATE session_v2 SET time_suspended = 1");
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "maintenance_required",
    });
    daemon.database.exec("UPDATE session_v2 SET time_suspended = NULL");
    expect(await daemon.call("prune", request)).toEqual(first);
    expect(daemon.data()).toBe(AFTER);
    expect(daemon.receipts()).toHaveLength(1);
  });

  it("refuse with nothing changed where a table of that name is not ours", async () => {
    daemon.database.exec("CREATE TABLE opencode_prune_receipt (request TEXT, note TEXT)");
    const before = daemon.everything();
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "unsupported_storage",
    });
    expect(daemon.everything()).toBe(before);
  });
});
