import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOBS_NAME, JobStore, LEASE } from "../../../src/pruning/index.ts";
import { bundleChild, type Child, startChild } from "../../cache/support/processes.ts";
import { SERVER, temporaryFolder } from "./support/jobs.ts";

let program: string;

beforeAll(async () => {
  program = await bundleChild(join(import.meta.dirname, "support/child.ts"));
});

afterAll(() => rm(dirname(program), { recursive: true, force: true }));

async function ready(child: Child): Promise<Child> {
  expect(await child.line()).toBe("ready");
  return child;
}

describe("several processes on one file of jobs", () => {
  it("all succeed when six of them open a new file at once", async () => {
    const folder = join(temporaryFolder(), "new", "opencode-prune");
    const names = Array.from({ length: 6 }, (_, at) => `ses_${at}`);
    const children = await Promise.all(
      names.map((name) => ready(startChild(program, [folder, "once", name]))),
    );
    for (const child of children) child.go();
    const reports = await Promise.all(children.map(async (child) => JSON.parse(await child.line())));
    await Promise.all(children.map((child) => child.ended()));
    for (const report of reports) {
      expect(report).toMatchObject({ path: join(folder, JOBS_NAME), problems: [], state: "more_to_do" });
    }
    const store = new JobStore({ folder });
    const found = store.interrupted(SERVER);
    store.close();
    expect(found.map(({ jobID }) => jobID).sort()).toEqual(reports.map(({ jobID }) => jobID).sort());
    expect(found.every(({ left }) => left.messages === 3)).toBe(true);
  });

  it("finds every job whole, and one to recover at most, after a process was killed while it worked", async () => {
    const folder = temporaryFolder();
    for (let kill = 0; kill < 8; kill += 1) {
      const child = await ready(startChild(program, [folder, "forever", `ses_${kill}`]));
      child.go();
      expect(await child.line()).toBe("working");
      await new Promise((resolve) => setTimeout(resolve, 5 + kill * 11));
      child.process.kill("SIGKILL");
      await child.ended();

      const later = new JobStore({ folder, now: () => Date.now() + LEASE });
      const found = later.interrupted(SERVER);
      expect(found.length).toBeLessThanOrEqual(1);
      for (const job of found) {
        expect(job.state).toBe("unknown");
        expect(job.left.messages % 8).toBe(0);
        expect(later.open(job.jobID, -1, 100).requests).toHaveLength(job.left.messages);
        expect(later.discard(job)).toBe(true);
      }
      later.close();
      const database = new Database(join(folder, JOBS_NAME));
      expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
      const counts = database.prepare("SELECT count(*) FROM request GROUP BY job").pluck().all();
      database.close();
      expect(new Set(counts)).toEqual(new Set([40]));
    }
  });
});
