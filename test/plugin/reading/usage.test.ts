import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SessionUsage, UsageOutput } from "../../../src/contract/index.ts";
import { FakeDaemon, SESSION } from "../support/fake-daemon.ts";
import { stored, TEXT, TOOL } from "../support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  await daemon.load();
});
afterEach(() => daemon.remove());

async function usage(input: object = {}): Promise<SessionUsage[]> {
  const sessions: SessionUsage[] = [];
  let cursor: string | null = null;
  do {
    const answer = await daemon.read("usage", { ...input, ...(cursor === null ? {} : { cursor }) });
    const page = UsageOutput.parse(answer);
    if (page.status !== "page") throw new Error(page.reason);
    sessions.push(...page.sessions);
    cursor = page.cursor;
  } while (cursor !== null);
  return sessions;
}

describe("usage", () => {
  it("tells messages of every type, stored bytes and the newest sequence, for all sessions of all locations", async () => {
    daemon.insertSession("ses_1");
    daemon.insertSession("ses_2", { directory: "/elsewhere", project_id: "project_2" });
    daemon.insertSession("ses_3");
    daemon.insertMessage("{}", "msg_user", "ses_1", "user");
    daemon.insertMessage(stored([TEXT, `{"type":"text","text":"é"}`]), "msg_1", "ses_1");
    daemon.insertMessage(stored([TOOL]), "msg_2", "ses_2");
    daemon.database.exec("UPDATE event_sequence SET seq = 41 WHERE aggregate_id = 'ses_1'");
    expect(await usage()).toEqual([
      {
        sessionID: "ses_1",
        messages: 2,
        storedBytes: 2 + Buffer.byteLength(daemon.data("msg_1")),
        newestSequence: 41,
      },
      { sessionID: "ses_2", messages: 1, storedBytes: daemon.data("msg_2").length, newestSequence: 1 },
      { sessionID: "ses_3", messages: 0, storedBytes: 0, newestSequence: 0 },
    ]);
  });

  it("goes through more sessions than a page holds, each once", async () => {
    const ids = Array.from({ length: 1_200 }, (_, at) => `ses_${String(at).padStart(5, "0")}`);
    for (const id of ids) daemon.insertSession(id);
    const first = await daemon.read("usage", {});
    expect(first.sessions.length).toBeLessThan(ids.length);
    expect((await usage()).map((session) => session.sessionID)).toEqual(ids);
  });

  it("answers for named sessions in their order, and refuses each that is missing", async () => {
    daemon.insertSession("ses_a");
    daemon.insertSession("ses_b");
    expect(await daemon.read("usage", { sessionIDs: ["ses_b", "ses_gone", "ses_a"] })).toMatchObject({
      status: "page",
      sessions: [{ sessionID: "ses_b" }, { sessionID: "ses_a" }],
      refused: [{ sessionID: "ses_gone", reason: "missing" }],
      cursor: null,
    });
  });

  it("counts rows that nobody could read", async () => {
    daemon.insertSession();
    daemon.insertMessage("no JSON", "msg_bad");
    daemon.insertMessage("x".repeat(17 * 1024 * 1024), "msg_large");
    expect(await usage()).toMatchObject([{ messages: 2, storedBytes: 7 + 17 * 1024 * 1024 }]);
  });

  it("counts every message of a long session", async () => {
    daemon.insertSession();
    for (let at = 0; at < 5_000; at += 1) daemon.insertMessage("{}", `msg_${at}`);
    expect(await usage({ sessionIDs: [SESSION] })).toMatchObject([{ messages: 5_000, storedBytes: 10_000 }]);
  });
});
