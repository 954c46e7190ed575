import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FingerprintOutput, MAX_NAMED_SESSIONS } from "../../../src/contract/index.ts";
import { FakeDaemon, MESSAGE, SESSION } from "../support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "../support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(stored([TEXT, TOOL]));
  daemon.insertMessage(stored([TEXT, REASONING]), "msg_2");
  await daemon.load();
});
afterEach(() => daemon.remove());

async function fingerprint(sessionID = SESSION): Promise<string | undefined> {
  const answer = FingerprintOutput.parse(await daemon.read("fingerprint", { sessionIDs: [sessionID] }));
  if (answer.status !== "fingerprints") throw new Error(answer.reason);
  return answer.fingerprints[0]?.fingerprint;
}

describe("the fingerprint of a session", () => {
  it("stays while nothing changes", async () => {
    expect(await fingerprint()).toBe(await fingerprint());
  });

  it("changes with a prune", async () => {
    const before = await fingerprint();
    const revision = revisionOfStored(daemon.data());
    const request = { sessionID: SESSION, messageID: MESSAGE, revision, indexes: [1] };
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
    expect(await fingerprint()).not.toBe(before);
  });

  it.each([
    [
      "a message that is added",
      "INSERT INTO session_message VALUES ('msg_3', 'ses_1', 'user', 9, 1, 1, '{}')",
    ],
    ["a message that is deleted", "DELETE FROM session_message WHERE id = 'msg_2'"],
    [
      "a message that is rewritten in its length, as the daemon does",
      "UPDATE session_message SET data = replace(data, 'kept', 'KEPT'), time_updated = 2 WHERE id = 'msg_1'",
    ],
    ["a message that grows", "UPDATE session_message SET data = data || ' ' WHERE id = 'msg_1'"],
    [
      "two messages that trade a byte",
      "UPDATE session_message SET data = CASE id WHEN 'msg_1' THEN data || ' ' ELSE substr(data, 2) END",
    ],
    ["two messages that trade places", "UPDATE session_message SET seq = 3 - seq + 100"],
    [
      "a message that is written anew in the place of another",
      "DELETE FROM session_message WHERE id = 'msg_1'; INSERT INTO session_message SELECT 'msg_9', session_id, type, 1, 1, 1, data FROM session_message",
    ],
    ["a native event", "UPDATE event_sequence SET seq = seq + 1"],
  ])("changes with %s", async (_, sql) => {
    const before = await fingerprint();
    daemon.database.exec(sql);
    expect(await fingerprint()).not.toBe(before);
  });

  it("does not change with another session", async () => {
    const before = await fingerprint();
    daemon.insertSession("ses_2");
    daemon.insertMessage(stored([TOOL]), "msg_other", "ses_2");
    expect(await fingerprint()).toBe(before);
    expect(await fingerprint("ses_2")).not.toBe(before);
  });

  it("covers every message of a long session", async () => {
    for (let at = 0; at < 5_000; at += 1) daemon.insertMessage(stored([TEXT]), `msg_long_${at}`);
    for (const at of [0, 2_047, 2_048, 4_999]) {
      const before = await fingerprint();
      daemon.database.exec(`UPDATE session_message SET time_updated = 77 WHERE id = 'msg_long_${at}'`);
      expect(await fingerprint(), `message ${at}`).not.toBe(before);
    }
  });

  it("does not read content: it cannot see a rewrite that leaves the length and the time as they were", async () => {
    const before = await fingerprint();
    daemon.database.exec("UPDATE session_message SET data = replace(data, 'kept', 'KEPT')");
    expect(await fingerprint()).toBe(before);
  });

  it("refuses a session that is not there, and answers for the others, whatever their location", async () => {
    daemon.insertSession("ses_far", { directory: "/elsewhere", project_id: "project_2" });
    expect(await daemon.read("fingerprint", { sessionIDs: ["ses_gone", SESSION, "ses_far"] })).toMatchObject({
      status: "fingerprints",
      fingerprints: [{ sessionID: SESSION }, { sessionID: "ses_far" }],
      refused: [{ sessionID: "ses_gone", reason: "missing" }],
      unread: [],
    });
  });

  it.each([
    ["no session", { sessionIDs: [] }],
    ["a session named twice", { sessionIDs: [SESSION, SESSION] }],
    [
      "too many sessions",
      { sessionIDs: Array.from({ length: MAX_NAMED_SESSIONS + 1 }, (_, at) => `s${at}`) },
    ],
    ["an empty id", { sessionIDs: [""] }],
    ["an unknown member", { sessionIDs: [SESSION], path: "/etc" }],
  ])("refuses %s", async (_, input) => {
    await expect(daemon.read("fingerprint", input)).rejects.toThrow(/rpc.invalid_input: .*(sessionIDs|path)/);
  });
});
