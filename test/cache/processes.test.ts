import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DATABASE_NAME, MessageCache } from "../../src/cache/index.ts";
import { bundleChild, startChild } from "./support/processes.ts";
import { session } from "./support/sessions.ts";

let program: string;
let folder: string;
const made: string[] = [];

beforeAll(async () => {
  program = await bundleChild();
});
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "opencode-prune-cache-")), "opencode-prune");
  made.push(dirname(folder));
});
afterAll(() => {
  for (const one of [dirname(program), ...made]) rmSync(one, { recursive: true, force: true });
});

describe("several processes on one cache", () => {
  it("all succeed when six of them open a new file at once", async () => {
    const names = Array.from({ length: 6 }, (_, n) => `ses_${n}`);
    const children = names.map((name) => startChild(program, [folder, "once", name]));
    await Promise.all(children.map((child) => child.line()));
    for (const child of children) child.go();
    const reports = await Promise.all(children.map(async (child) => JSON.parse(await child.line())));
    await Promise.all(children.map((child) => child.ended()));
    const path = join(folder, DATABASE_NAME);
    for (const report of reports) {
      expect(report).toMatchObject({ state: { state: "disk", path }, problems: [], written: "written" });
    }
    const cache = new MessageCache({ folder, server: "http://one" });
    expect(
      cache
        .sessions()
        .map((one) => one.sessionID)
        .sort(),
    ).toEqual(names);
    cache.close();
  });

  it("answers busy, and loses nothing, while another process writes", () => {
    const cache = new MessageCache({ folder, server: "http://one" });
    const other = new Database(join(folder, DATABASE_NAME));
    other.exec("BEGIN IMMEDIATE");
    expect(cache.keep([session("ses_a", ["msg_1"])])).toBe("busy");
    expect(cache.sessions()).toEqual([]);
    other.exec("COMMIT");
    other.close();
    expect(cache.keep([session("ses_a", ["msg_1"])])).toBe("written");
    expect(cache.state.state).toBe("disk");
    cache.close();
  });

  it("finds every session whole after a process was killed while it wrote, again and again", async () => {
    for (let round = 0; round < 8; round += 1) {
      const child = startChild(program, [folder, "forever", "ses_a"]);
      await child.line();
      child.go();
      await child.line();
      child.process.kill("SIGKILL");
      await child.ended();

      const cache = new MessageCache({ folder, server: "http://one" });
      expect(cache.problems).toEqual([]);
      const [kept] = cache.sessions();
      const outline = cache.outline("ses_a");
      expect(outline?.messages.length).toBe((kept?.totals?.messages ?? 0) - 1);
      cache.close();
      const database = new Database(join(folder, DATABASE_NAME), { readonly: true });
      expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
      expect(database.pragma("foreign_key_check")).toEqual([]);
      database.close();
    }
  });
});
