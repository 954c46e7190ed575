import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cacheFolder, DATABASE_NAME, MessageCache } from "../../src/cache/index.ts";
import { session } from "./support/sessions.ts";

let parent: string;
let folder: string;
const open: MessageCache[] = [];

function openCache(server = "http://one"): MessageCache {
  const cache = new MessageCache({ folder, server });
  open.push(cache);
  return cache;
}

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "opencode-prune-cache-"));
  folder = join(parent, "opencode-prune");
});
afterEach(() => {
  for (const cache of open.splice(0)) cache.close();
  rmSync(parent, { recursive: true, force: true });
});

describe("the message cache", () => {
  it("gives back what was kept in an earlier run, without labels", () => {
    const cache = openCache();
    const kept = session("ses_a", ["msg_1", "msg_2"]);
    expect(cache.keep([kept])).toBe("written");
    cache.close();

    const again = openCache();
    expect(again.state).toEqual({ state: "disk", path: join(folder, DATABASE_NAME) });
    expect(again.sessions()).toEqual([{ ...kept.listing, totals: kept.content.totals }]);
    const messages = kept.content.outline.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => ({ ...part, label: "" })),
    }));
    expect(again.outline("ses_a")).toEqual({ messages, others: kept.content.outline.others });
  });

  it("keeps a listing whose messages were never read, and what is known of them when only the listing changes", () => {
    const cache = openCache();
    const kept = session("ses_a", ["msg_1"]);
    cache.keep([{ listing: kept.listing }]);
    expect(cache.sessions()[0]?.totals).toBeUndefined();
    expect(cache.outline("ses_a")).toBeUndefined();
    cache.keep([kept]);
    cache.keep([{ listing: { ...kept.listing, title: "renamed" } }]);
    expect(cache.sessions()).toEqual([{ ...kept.listing, title: "renamed", totals: kept.content.totals }]);
  });

  it("forgets a session with its messages, and messages that a session no longer has", () => {
    const cache = openCache();
    cache.keep([session("ses_a", ["msg_1", "msg_2"]), session("ses_b", ["msg_3"])]);
    cache.keep([session("ses_a", ["msg_2"])]);
    expect(cache.outline("ses_a")?.messages.map((message) => message.messageID)).toEqual(["msg_2"]);
    cache.forget(["ses_a"]);
    expect(cache.sessions().map((one) => one.sessionID)).toEqual(["ses_b"]);
    const database = new Database(join(folder, DATABASE_NAME), { readonly: true });
    expect(database.prepare("SELECT id FROM message").pluck().all()).toEqual(["msg_3"]);
    database.close();
  });

  it("never mixes servers, even when their sessions have the same ids", () => {
    const one = openCache("http://one");
    const two = openCache("http://two");
    one.keep([session("ses_a", ["msg_1"])]);
    expect(two.sessions()).toEqual([]);
    expect(two.outline("ses_a")).toBeUndefined();
    two.keep([session("ses_a", ["msg_2"])]);
    two.forget(["ses_a"]);
    expect(one.outline("ses_a")?.messages.map((message) => message.messageID)).toEqual(["msg_1"]);
  });

  it("cannot hold a message of another session or another server", () => {
    openCache("http://one").keep([session("ses_a", ["msg_1"])]);
    openCache("http://two").keep([session("ses_b", ["msg_2"])]);
    const database = new Database(join(folder, DATABASE_NAME));
    database.pragma("foreign_keys = ON");
    const move = (sql: string) => () => database.prepare(sql).run();
    expect(move("UPDATE message SET session = 'ses_b' WHERE id = 'msg_1'")).toThrow(/FOREIGN KEY/);
    expect(move("UPDATE message SET server = 2 WHERE id = 'msg_1'")).toThrow(/FOREIGN KEY/);
    expect(move("UPDATE session SET server = 9 WHERE id = 'ses_b'")).toThrow(/FOREIGN KEY/);
    database.close();
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty id", ""],
    ["an id that is too long", "x".repeat(257)],
    ["a number", 7],
    ["an id with a NUL", "ses_\0a"],
    ["an id with half a surrogate pair", "ses_\ud800"],
  ])("throws for %s in place of an id, and binds nothing", (_what, id) => {
    const cache = openCache();
    cache.keep([session("ses_a", ["msg_1"])]);
    const malformed = id as string;
    expect(() => cache.outline(malformed)).toThrow(/is not the id of a session/);
    expect(() => cache.forget(["ses_a", malformed])).toThrow(TypeError);
    expect(() => cache.keep([session("ses_b", []), session(malformed, [])])).toThrow(TypeError);
    expect(() => cache.keep([session("ses_c", [malformed])])).toThrow(/is not the id of a message/);
    expect(cache.sessions().map((one) => one.sessionID)).toEqual(["ses_a"]);
  });

  it("does not write again what it has", () => {
    const cache = openCache();
    const sessions = [session("ses_a", ["msg_1", "msg_2"]), session("ses_b", [])];
    cache.keep(sessions);
    const log = () => readFileSync(join(folder, `${DATABASE_NAME}-wal`));
    const before = log();
    expect(cache.keep(sessions)).toBe("written");
    expect(log()).toEqual(before);
    cache.keep([session("ses_a", ["msg_1", "msg_9"])]);
    expect(log()).not.toEqual(before);
  });

  it("lets nobody else look in: folder 0700, files 0600", () => {
    openCache().keep([session("ses_a", ["msg_1"])]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it("overwrites what is deleted", () => {
    const cache = openCache();
    cache.keep([session("ses_gone", ["msg_vanished"])]);
    cache.forget(["ses_gone"]);
    cache.close();
    expect(readdirSync(folder)).toEqual([DATABASE_NAME]);
    const bytes = readFileSync(join(folder, DATABASE_NAME));
    expect(bytes.includes("msg_vanished")).toBe(false);
    expect(bytes.includes("ses_gone")).toBe(false);
  });
});

describe("the cache's folder", () => {
  it.each([
    ["linux", {}, "/home/a/.cache/opencode-prune"],
    ["linux", { XDG_CACHE_HOME: "/elsewhere" }, "/elsewhere/opencode-prune"],
    ["linux", { XDG_CACHE_HOME: "not/absolute" }, "/home/a/.cache/opencode-prune"],
    ["darwin", {}, "/home/a/Library/Caches/opencode-prune"],
    ["darwin", { XDG_CACHE_HOME: "/elsewhere" }, "/elsewhere/opencode-prune"],
    ["win32", { LOCALAPPDATA: "/local" }, "/local/opencode-prune/Cache"],
  ] as const)("on %s with %j is %s", (platform, environment, expected) => {
    expect(cacheFolder(environment, platform, "/home/a")).toBe(expected);
  });
});
