import { copyFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, SESSION } from "../support/fake-daemon.ts";
import { stored, TOOL } from "../support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(stored([TOOL]));
});
afterEach(() => daemon.remove());

describe("whose session it is", () => {
  it.each([
    ["another folder", { directory: "/elsewhere" }],
    ["another project", { project_id: "project_2" }],
    ["another workspace", { workspace_id: "workspace_2" }],
  ])("a session of %s is not outlined here", async (_, columns) => {
    daemon.insertSession("ses_far", columns);
    daemon.insertMessage(stored([TOOL]), "msg_far", "ses_far");
    await daemon.load();
    expect(await daemon.read("outline", { sessionID: "ses_far" })).toEqual({
      status: "refused",
      reason: "other_location",
    });
    expect(await daemon.call("history", { sessionID: "ses_far" })).toEqual({
      status: "blocked",
      reason: "not_deletable",
    });
  });

  it("a session that was deleted, before or during a scan, is missing", async () => {
    for (let at = 0; at < 3_000; at += 1) daemon.insertMessage(stored([TOOL]), `msg_many_${at}`);
    await daemon.load();
    const { cursor } = await daemon.read("outline", { sessionID: SESSION });
    daemon.database.exec("DELETE FROM session_v2");
    const missing = { status: "refused", reason: "missing" };
    expect(await daemon.read("outline", { sessionID: SESSION, cursor })).toEqual(missing);
    expect(await daemon.read("outline", { sessionID: SESSION })).toEqual(missing);
    expect(await daemon.read("usage", { sessionIDs: [SESSION] })).toMatchObject({
      sessions: [],
      refused: [{ sessionID: SESSION, reason: "missing" }],
    });
  });
});

describe("whose database it is", () => {
  it("is proved once, with a nonce that does not stay", async () => {
    await daemon.load();
    await Promise.all([daemon.read("usage", {}), daemon.read("usage", {}), daemon.read("usage", {})]);
    await daemon.read("outline", { sessionID: SESSION });
    expect(daemon.storageCalls.filter((call) => call.startsWith("set"))).toHaveLength(1);
    expect(daemon.nonces()).toEqual([]);
  });

  it("a copy is refused, whatever is asked", async () => {
    daemon.database.pragma("wal_checkpoint(TRUNCATE)");
    const copy = `${daemon.path}.copy`;
    copyFileSync(daemon.path, copy);
    await daemon.load({ databasePath: copy });
    const refused = { status: "refused", reason: "unsupported_storage" };
    expect(await daemon.read("usage", {})).toEqual(refused);
    expect(await daemon.read("outline", { sessionID: SESSION })).toEqual(refused);
    expect(await daemon.read("fingerprint", { sessionIDs: [SESSION] })).toEqual(refused);
    expect(await daemon.call("history", {})).toEqual({ status: "blocked", reason: "unsupported_storage" });
    expect(daemon.nonces()).toEqual([]);
  });

  it("is proved again after another file took its place, and a copy in its place is refused", async () => {
    await daemon.load();
    expect(await daemon.read("usage", {})).toMatchObject({ status: "page" });
    daemon.database.exec(`VACUUM INTO '${daemon.path}.copy'`);
    for (const end of ["", "-wal", "-shm"]) rmSync(daemon.path + end, { force: true });
    copyFileSync(`${daemon.path}.copy`, daemon.path);
    expect(await daemon.read("usage", {})).toEqual({ status: "refused", reason: "unsupported_storage" });
  });

  it("is not read when it is missing, and nothing is created", async () => {
    await daemon.load({ databasePath: `${daemon.path}.none` });
    expect(await daemon.read("usage", {})).toEqual({ status: "refused", reason: "unavailable" });
    await daemon.load({ databasePath: "relative.db" });
    expect(await daemon.read("usage", {})).toEqual({ status: "refused", reason: "unavailable" });
  });

  it("is not asked for a nonce while somebody holds the write lock, and is read once proved all the same", async () => {
    await daemon.load();
    daemon.database.exec("BEGIN IMMEDIATE");
    expect(await daemon.read("usage", {})).toEqual({ status: "refused", reason: "maintenance_required" });
    expect(daemon.storageCalls).toEqual([]);
    daemon.database.exec("ROLLBACK");
    expect(await daemon.read("usage", {})).toMatchObject({ status: "page" });
    daemon.database.exec("BEGIN IMMEDIATE");
    expect(await daemon.read("usage", {})).toMatchObject({ status: "page" });
    daemon.database.exec("ROLLBACK");
  });

  it.each([
    ["a table that is gone", "DROP TABLE event_sequence"],
    ["a column that is gone", "ALTER TABLE session_message RENAME COLUMN time_updated TO changed"],
  ])("with %s is not read", async (_, sql) => {
    daemon.database.exec(sql);
    await daemon.load();
    expect(await daemon.read("usage", {})).toEqual({ status: "refused", reason: "unsupported_storage" });
  });
});
