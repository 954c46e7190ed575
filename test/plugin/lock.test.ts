import { existsSync, renameSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { overBetterSqlite, watched } from "./support/better-sqlite.ts";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const BEFORE = stored([TEXT, TOOL, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };
const subject = { sessionID: SESSION, messageID: MESSAGE };
const busy = { status: "blocked", reason: "maintenance_required" };

let daemon: FakeDaemon;
beforeEach(() => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(BEFORE);
});
afterEach(async () => {
  vi.useRealTimers();
  await daemon.remove();
});

const writes = () => daemon.storageCalls.filter((call) => call.startsWith("set"));

describe("a database that somebody else holds", () => {
  it("is told at once, and the daemon is not asked to write into it", async () => {
    await daemon.load();
    daemon.database.exec("BEGIN IMMEDIATE");
    expect(await daemon.call("prune", request)).toEqual(busy);
    expect(await daemon.call("preview", subject)).toEqual(busy);
    expect(writes()).toEqual([]);
    daemon.database.exec("ROLLBACK");
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });

  it("can be previewed once it is known to be the daemon's own", async () => {
    await daemon.load();
    await daemon.call("preview", subject);
    daemon.database.exec("BEGIN IMMEDIATE");
    expect(await daemon.call("preview", subject)).toMatchObject({ status: "preview" });
    daemon.database.exec("ROLLBACK");
    expect(writes()).toHaveLength(1);
  });

  it("is held by a prune from before its first read until its commit", async () => {
    const other = new Database(daemon.path, { timeout: 0 });
    const writers: string[] = [];
    let isPruning = false;
    daemon.afterStorageSet = () => {
      isPruning = true;
    };
    await daemon.load({
      open: (path) =>
        watched(path, (sql) => {
          if (!isPruning || sql === "BEGIN IMMEDIATE") return;
          try {
            other.exec("BEGIN IMMEDIATE; ROLLBACK");
            writers.push(sql);
          } catch {
            // Locked, as it must be.
          }
        }),
    });
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
    expect(writers).toEqual([]);
    other.close();
  });

  it("is told when it was taken between the nonce and the transaction, and the nonce goes when it is free", async () => {
    await daemon.load();
    const other = new Database(daemon.path);
    daemon.afterStorageSet = () => {
      other.exec("BEGIN IMMEDIATE");
    };
    daemon.beforeStorageRemove = () => {
      if (other.inTransaction) throw new Error("The daemon would stand still here.");
    };

    expect(await daemon.call("prune", request)).toEqual(busy);
    expect(daemon.data()).toBe(BEFORE);
    expect(daemon.nonces()).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(daemon.storageCalls.filter((call) => call.startsWith("remove"))).toEqual([]);
    other.exec("ROLLBACK");
    await vi.waitFor(() => expect(daemon.nonces()).toEqual([]), { timeout: 5000 });
    other.close();
  });
});

describe("a daemon that does not write the nonce", () => {
  it("in time, is not waited for, and the late nonce is removed", async () => {
    await daemon.load();
    let land = () => {};
    daemon.beforeStorageSet = () =>
      new Promise<void>((resolve) => {
        land = resolve;
      });
    vi.useFakeTimers();
    const answer = daemon.call("prune", request);
    await vi.advanceTimersByTimeAsync(999);
    expect(await answer).toEqual(busy);
    expect(daemon.data()).toBe(BEFORE);

    land();
    await vi.advanceTimersByTimeAsync(0);
    expect(daemon.nonces()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(daemon.nonces()).toEqual([]);
  });

  it("at all, is told", async () => {
    await daemon.load();
    daemon.beforeStorageSet = () => {
      throw new Error("disk full");
    };
    expect(await daemon.call("prune", request)).toEqual(busy);
    expect(daemon.data()).toBe(BEFORE);
  });
});

describe("a nonce", () => {
  it("is fresh for every request, and gone with the commit that it vouched for", async () => {
    await daemon.load();
    await daemon.call("prune", request);
    expect(daemon.nonces()).toEqual([]);
    expect(daemon.storageCalls.filter((call) => call.startsWith("remove"))).toEqual([]);
    await daemon.call("prune", request);
    expect(new Set(writes()).size).toBe(2);
  });

  it("that cannot be removed after a refusal changes nothing of the answer, and is removed later", async () => {
    await daemon.load();
    daemon.beforeStorageRemove = () => {
      throw new Error("not now");
    };
    expect(await daemon.call("prune", { ...request, revision: "0".repeat(64) })).toEqual({
      status: "blocked",
      reason: "conflict",
    });
    expect(daemon.nonces()).toHaveLength(1);
    daemon.beforeStorageRemove = () => {};
    await vi.waitFor(() => expect(daemon.nonces()).toEqual([]), { timeout: 5000 });
  });

  it("whose removal hangs holds no answer up", async () => {
    await daemon.load();
    daemon.beforeStorageRemove = () => new Promise(() => {});
    vi.useFakeTimers();
    const answer = daemon.call("prune", { ...request, revision: "0".repeat(64) });
    await vi.advanceTimersByTimeAsync(999);
    expect(await answer).toEqual({ status: "blocked", reason: "conflict" });
  });

  it("that a killed daemon left is swept away, and one of a request under way is not", async () => {
    const storage = daemon.host().storage;
    const name = (age: number) => `identity/${(Date.now() - age).toString(36)}-x`;
    await storage.set(name(120_000), "old");
    await storage.set("identity/unreadable!", "old");
    await storage.set(name(1_000), "young");
    await daemon.load();
    await daemon.call("prune", request);
    await vi.waitFor(() => expect(daemon.nonces()).toHaveLength(1));
    expect(await storage.scan({ prefix: "identity/" })).toEqual({
      entries: [{ key: expect.stringMatching(/-x$/) }],
    });
  });
});

describe("a caller that aborts", () => {
  it("before anything happened, changes nothing", async () => {
    await daemon.load();
    const before = daemon.everything();
    await expect(daemon.call("prune", request, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(daemon.everything()).toBe(before);
    expect(writes()).toEqual([]);
  });

  it("while the nonce is written, changes nothing", async () => {
    await daemon.load();
    const before = daemon.everything();
    const caller = new AbortController();
    daemon.beforeStorageSet = () => caller.abort(new Error("gone"));
    await expect(daemon.call("prune", request, caller.signal)).rejects.toThrow("gone");
    expect(daemon.everything()).toBe(before);
  });
});

describe("the database file", () => {
  it("is opened again when another takes its place, and believed only with proof", async () => {
    await daemon.load();
    await daemon.call("preview", subject);
    const copy = `${daemon.folder}/copy.db`;
    daemon.database.exec(`VACUUM INTO '${copy}'`);
    for (const suffix of ["", "-wal", "-shm"])
      renameSync(daemon.path + suffix, `${daemon.folder}/old.db${suffix}`);
    renameSync(copy, daemon.path);
    const foreign = { status: "blocked", reason: "unsupported_storage" };
    expect(await daemon.call("preview", subject)).toEqual(foreign);
    expect(await daemon.call("prune", request)).toEqual(foreign);
  });

  it("is not created, and not taken for one, where it is missing or a folder", async () => {
    for (const databasePath of [`${daemon.folder}/none.db`, daemon.folder, "relative.db"]) {
      const dispose = await daemon.load({ databasePath });
      const missing = { status: "blocked", reason: "unavailable" };
      expect(await daemon.call("prune", request)).toEqual(missing);
      expect(await daemon.call("preview", subject)).toEqual(missing);
      await dispose();
    }
    expect(existsSync(`${daemon.folder}/none.db`)).toBe(false);
  });

  it("is touched by nobody once the plugin is disposed", async () => {
    const opened: Database.Database[] = [];
    const dispose = await daemon.load({
      open: (path) => {
        const database = new Database(path);
        opened.push(database);
        return overBetterSqlite(database);
      },
    });
    const prune = daemon.registered[0]?.methods.prune;
    daemon.beforeStorageSet = async () => {
      await dispose();
    };
    const answer = await prune?.(request as never, {});
    expect(answer).toEqual({ status: "blocked", reason: "unavailable" });
    expect(opened.map((database) => database.open)).toEqual([false]);
    expect(daemon.nonces()).toEqual([]);
    expect(daemon.data()).toBe(BEFORE);
  });
});
