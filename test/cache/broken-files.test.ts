import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DATABASE_NAME, MessageCache } from "../../src/cache/index.ts";
import { bundleChild, startChild } from "./support/processes.ts";
import { session } from "./support/sessions.ts";

let parent: string;
let folder: string;
let path: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "opencode-prune-cache-"));
  folder = join(parent, "opencode-prune");
  path = join(folder, DATABASE_NAME);
  mkdirSync(folder);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function openCache(limits = {}): MessageCache {
  return new MessageCache({ folder, server: "http://one", limits });
}

/** A cache file with many pages. */
function fill(): void {
  const cache = openCache();
  const ids = Array.from({ length: 200 }, (_, n) => `msg_${n}`);
  cache.keep(Array.from({ length: 20 }, (_, n) => session(`ses_${n}`, ids)));
  cache.close();
}

function expectSetAside(bytes: Buffer, reason: RegExp): void {
  const cache = openCache();
  expect(cache.problems).toHaveLength(1);
  expect(cache.problems[0]).toMatch(reason);
  expect(cache.problems[0]).toContain(path);
  expect(cache.problems[0]).not.toContain("\n");
  const [aside] = readdirSync(folder).filter((name) => /set-aside-[^/]*\d$/.test(name));
  expect(cache.problems[0]).toContain(aside);
  expect(readFileSync(join(folder, aside ?? "")).equals(bytes)).toBe(true);
  expectWorks(cache);
  const again = openCache();
  expect(again.problems).toEqual([]);
  expect(again.sessions()).toHaveLength(1);
  again.close();
}

function expectWorks(cache: MessageCache): void {
  expect(cache.sessions()).toEqual([]);
  expect(cache.keep([session("ses_new", ["msg_1"])])).toBe("written");
  expect(cache.sessions()).toHaveLength(1);
  cache.close();
}

describe("a cache file that cannot be used is set aside, and a new one is begun", () => {
  it("when it was cut off", () => {
    fill();
    truncateSync(path, 9_000);
    expectSetAside(readFileSync(path), /malformed/);
  });

  it("when it is full of zeros", () => {
    const zeros = Buffer.alloc(65_536);
    writeFileSync(path, zeros);
    expectSetAside(zeros, /not a database|not ours/);
  });

  it("when it is text", () => {
    const text = Buffer.from("dear diary, ".repeat(1_000));
    writeFileSync(path, text);
    expectSetAside(text, /not a database/);
  });

  it("when it is somebody else's database", () => {
    const other = new Database(path);
    other.exec("CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('today')");
    other.close();
    expectSetAside(readFileSync(path), /not ours/);
  });

  it("when it is somebody else's empty database with a version of its own", () => {
    const other = new Database(path);
    other.pragma("user_version = 3");
    other.close();
    expectSetAside(readFileSync(path), /not ours/);
  });
});

describe("a cache file that breaks while the app runs", () => {
  it("is set aside, says so in one sentence, and throws nothing", () => {
    fill();
    const cache = openCache();
    const bytes = readFileSync(path);
    // Every page after the first two is overwritten, as a failing disk would.
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(bytes.length - 8_192, 7)]));
    const read = cache.sessions().map((one) => cache.outline(one.sessionID));
    expect(read.filter((outline) => outline !== undefined)).toEqual([]);
    expect(cache.state).toMatchObject({ state: "stopped" });
    expect(cache.state).toHaveProperty("problem", expect.stringMatching(/damaged .* set aside as/));
    expect(cache.keep([session("ses_new", [])])).toBe("stopped");
    expect(readdirSync(folder).some((name) => name.includes("set-aside"))).toBe(true);
    cache.close();
  });
});

describe("a cache file that is not for us", () => {
  it("is left as it is when a newer version wrote it, and the run keeps its cache in memory", () => {
    fill();
    const newer = new Database(path);
    newer.exec("CREATE TABLE invention (id TEXT)");
    newer.pragma("user_version = 9");
    newer.pragma("journal_mode = DELETE");
    newer.close();
    const before = readFileSync(path);
    const cache = openCache();
    expect(cache.problems).toHaveLength(1);
    expect(cache.problems[0]).toMatch(/newer opencode-prune \(version 9/);
    expect(cache.state.state).toBe("memory");
    expectWorks(cache);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual([DATABASE_NAME]);
  });
});

describe("without a place on the disk", () => {
  it("the cache works in memory when its folder cannot be made", () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file where the folder should be");
    const cache = openCache();
    expect(cache.state).toMatchObject({
      state: "memory",
      problem: expect.stringContaining("cannot be used"),
    });
    expectWorks(cache);
  });

  it("the cache works in memory when its folder is read-only", async () => {
    const program = await bundleChild();
    // The superuser may write everywhere, so that another user has to try.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      for (const one of [parent, dirname(program)]) chmodSync(one, 0o755);
      chownSync(folder, 65_534, 65_534);
    }
    chmodSync(folder, 0o500);
    chmodSync(parent, 0o555);
    const child = startChild(
      program,
      [join(parent, "another"), "once"],
      isRoot ? { uid: 65_534, gid: 65_534 } : {},
    );
    await child.line();
    child.go();
    const report = JSON.parse(await child.line());
    await child.ended();
    chmodSync(parent, 0o755);
    rmSync(dirname(program), { recursive: true });
    expect(report).toMatchObject({ state: { state: "memory" }, written: "written", sessions: 1 });
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]).toMatch(/permission|EACCES|unable to open/);
  });
});

describe("a disk without room", () => {
  it("stops the cache with one sentence, keeps what was kept, and throws nothing", () => {
    const cache = openCache({ pages: 40 });
    const ids = Array.from({ length: 100 }, (_, n) => `msg_${n}`);
    const outcomes = Array.from({ length: 30 }, (_, n) => cache.keep([session(`ses_${n}`, ids)]));
    expect(outcomes[0]).toBe("written");
    expect(outcomes.at(-1)).toBe("stopped");
    expect(cache.state).toMatchObject({ state: "stopped", problem: expect.stringMatching(/full/) });
    cache.close();
    const again = openCache();
    expect(again.problems).toEqual([]);
    expect(again.sessions()).toHaveLength(outcomes.filter((outcome) => outcome === "written").length);
    again.close();
  });

  it.runIf(canMount())("does the same on a real file system that is full", () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    try {
      const cache = openCache();
      const ids = Array.from({ length: 100 }, (_, n) => `msg_${n}`);
      const outcomes = Array.from({ length: 200 }, (_, n) => cache.keep([session(`ses_${n}`, ids)]));
      expect(outcomes[0]).toBe("written");
      expect(outcomes.at(-1)).toBe("stopped");
      cache.close();
      const again = openCache();
      expect(again.problems).toEqual([]);
      expect(again.sessions().length).toBeGreaterThan(0);
      again.close();
    } finally {
      execFileSync("umount", [folder]);
    }
  });
});

/** Mounting needs the superuser on Linux. */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "opencode-prune-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place], { stdio: "ignore" });
    execFileSync("umount", [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true });
  }
}
