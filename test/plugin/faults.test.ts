import { writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reasonFor } from "../../src/plugin/service.ts";
import { SqliteFailure } from "../../src/plugin/sqlite.ts";
import { overBetterSqlite, watched } from "./support/better-sqlite.ts";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const BEFORE = stored([TEXT, TOOL, REASONING]);
const AFTER = stored([TEXT, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };

let daemon: FakeDaemon;
beforeEach(() => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(BEFORE);
});
afterEach(() => daemon.remove());

describe("a database that has no room left", () => {
  it("refuses with nothing changed, and prunes when there is room again", async () => {
    const limits: Database.Database[] = [];
    await daemon.load({
      open: (path) => {
        const database = new Database(path);
        database.pragma("max_page_count = 1");
        limits.push(database);
        return overBetterSqlite(database);
      },
    });
    const before = daemon.everything();
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "maintenance_required",
    });
    expect(daemon.everything()).toBe(before);
    expect(daemon.database.pragma("integrity_check", { simple: true })).toBe("ok");

    await daemon.load();
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
    expect(daemon.data()).toBe(AFTER);
    expect(limits.map((database) => database.open)).toEqual([false]);
  });
});

describe("a read-only database", () => {
  it("can be previewed, and refuses to be pruned", async () => {
    await daemon.load({
      open: (path) => overBetterSqlite(new Database(path, { readonly: true, fileMustExist: true })),
    });
    const before = daemon.everything();
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "unsupported_storage",
    });
    expect(await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE })).toMatchObject({
      status: "preview",
    });
    expect(daemon.everything()).toBe(before);
  });
});

describe("a transaction that fails", () => {
  /** Every statement of a prune, in order, as SQLite is asked to run it. */
  async function statementsOfAPrune(): Promise<string[]> {
    const spy = new FakeDaemon();
    spy.insertSession();
    spy.insertMessage(BEFORE);
    const ran: string[] = [];
    await spy.load({ open: (path) => watched(path, (sql) => ran.push(sql)) });
    await spy.call("prune", request);
    await spy.remove();
    return ran;
  }

  it("at any of its statements leaves nothing behind", async () => {
    const statements = await statementsOfAPrune();
    expect(statements).toContain("COMMIT");
    const failures = [];
    for (let at = 0; at < statements.length; at += 1) {
      const own = new FakeDaemon();
      own.insertSession();
      own.insertMessage(BEFORE);
      const before = own.everything();
      let count = 0;
      await own.load({
        open: (path) =>
          watched(path, () => {
            if (count++ === at) throw new SqliteFailure(10, "disk I/O error");
          }),
      });
      const answer = await own.call("prune", request);
      const unchanged = own.everything() === before;
      const next = await own.call("prune", request);
      if (
        answer.reason !== "maintenance_required" ||
        !unchanged ||
        next.status !== "pruned" ||
        own.data() !== AFTER
      )
        failures.push({ statement: statements[at], answer, unchanged, next });
      await own.remove();
    }
    expect(failures).toEqual([]);
  });
});

describe("what SQLite refuses", () => {
  it("becomes a reason of the contract", () => {
    expect([5, 6, 7, 10, 13].map(reasonFor)).toEqual(Array(5).fill("maintenance_required"));
    expect(reasonFor(14)).toBe("unavailable");
    expect([1, 8, 11, 17, 26].map(reasonFor)).toEqual(Array(5).fill("unsupported_storage"));
  });

  it("is told apart from what is no database at all", async () => {
    const databasePath = `${daemon.folder}/letter.db`;
    writeFileSync(databasePath, "Dear reader, this is not a database. ".repeat(50));
    await daemon.load({ databasePath });
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "unsupported_storage",
    });
  });
});
