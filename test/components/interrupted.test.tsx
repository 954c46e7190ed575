import { describe, expect, it } from "vitest";
import type {
  CleanupPlan,
  CleanupPort,
  InterruptedCleanup,
  PruneOptions,
  PruneReport,
} from "../../src/state/index.ts";
import { exampleHistory } from "./example.ts";
import { MINUTE, NOW } from "./fake-ports.ts";
import { type OpenedScreen, openScreen, type ScreenOptions } from "./open-screen.tsx";

const cutOff: InterruptedCleanup = {
  jobID: "job_1",
  created: NOW - 20 * MINUTE,
  state: "unknown",
  left: { sessions: 2, messages: 41, parts: 120, bytes: 3_100_000 },
};
const stopped: InterruptedCleanup = {
  jobID: "job_2",
  created: NOW - 5 * MINUTE,
  state: "more_to_do",
  left: { sessions: 1, messages: 3, parts: 4, bytes: 900 },
};

/** Cleanups that were interrupted; a resumed one goes on when the test says so. */
class FakeCleanup implements CleanupPort {
  jobs: readonly InterruptedCleanup[] = [cutOff];
  readonly resumed: string[] = [];
  readonly discarded: string[] = [];
  report: Partial<PruneReport> = {};
  failure: Error | undefined;
  notDurable: string | undefined;
  options: PruneOptions | undefined;
  /** While set, `resume` waits for it. */
  working: Promise<void> | undefined;

  async plan(sessionIDs: readonly string[]): Promise<CleanupPlan> {
    const eligible = { messages: 2, parts: 5, bytes: 700 };
    return {
      sessions: sessionIDs.map((sessionID) => ({ sessionID, eligible, skipped: [] })),
      requests: 1,
      ...eligible,
      ...(this.notDurable === undefined ? {} : { notDurable: this.notDurable }),
    };
  }

  run(): Promise<PruneReport> {
    return Promise.reject(new Error("not here"));
  }

  interrupted(): readonly InterruptedCleanup[] {
    return this.jobs;
  }

  async resume(job: InterruptedCleanup, options: PruneOptions): Promise<PruneReport> {
    this.resumed.push(job.jobID);
    this.options = options;
    await this.working;
    if (this.failure !== undefined) throw this.failure;
    this.jobs = this.jobs.filter(({ jobID }) => jobID !== job.jobID);
    return {
      prunedParts: job.left.parts,
      prunedMessages: job.left.messages,
      prunedBytes: job.left.bytes,
      skippedMessages: 0,
      refused: [],
      stopped: false,
      ...this.report,
    };
  }

  discard(job: InterruptedCleanup): boolean {
    const isThere = this.jobs.includes(job);
    this.discarded.push(job.jobID);
    this.jobs = this.jobs.filter((one) => one !== job);
    return isThere;
  }
}

async function open(cleanup = new FakeCleanup(), options: ScreenOptions = {}) {
  const screen: OpenedScreen = await openScreen({
    prepare: exampleHistory,
    rows: 24,
    columns: 80,
    cleanup,
    ...options,
  });
  return { ...screen, cleanup };
}

const OFFER = "An interrupted cleanup has 41 messages left: press u to look at it.";

describe("an interrupted cleanup", () => {
  it("is offered in a line on the sessions, and nothing of it is resumed by that", async () => {
    const { frame, type, cleanup } = await open();
    expect(frame()).toContain(OFFER);
    expect(frame()).toContain("u interrupted");
    await type("enter");
    expect(frame()).not.toContain("An interrupted cleanup");
    expect(cleanup.resumed).toEqual([]);
  });

  it("is counted together with others", async () => {
    const cleanup = new FakeCleanup();
    cleanup.jobs = [cutOff, stopped];
    const { frame, type } = await open(cleanup);
    expect(frame()).toContain("2 interrupted cleanups have 44 messages left: press u to look.");
    await type("u");
    expect(frame()).toMatch(/2:40 PM 41 messages left in 2 sessions +120 parts +3\.1 MB/);
    expect(frame()).toMatch(/2:55 PM 3 messages left in 1 session +4 parts +900 B/);
    expect(frame()).toContain("It was cut off.");
    await type("j");
    expect(frame()).toContain("It was stopped.");
    expect(frame()).toContain("r resumes it, d discards it, Esc leaves it for later.");
  });

  it("is not resumed by r alone, nor by any key but y after it", async () => {
    const { frame, type, cleanup } = await open();
    for (const key of ["r", "enter", "space", "escape", "Y", "n", "d", "u", "q", "ctrl-c"]) {
      if (!frame().includes("Interrupted cleanups")) await type("u");
      await type("r");
      expect(frame(), key).toContain("Deletes up to 120 parts (3.1 MB) of 41 messages for good.");
      expect(frame(), key).toContain("It is irreversible. y resumes; any other key does not.");
      await type(key);
      expect(frame(), key).toContain("r resumes it, d discards it");
    }
    await type("y");
    expect(cleanup.resumed).toEqual([]);
    expect(cleanup.discarded).toEqual([]);
  });

  it("is resumed with r and y, shows how far it is, and ends with the result", async () => {
    const cleanup = new FakeCleanup();
    let done: () => void = () => undefined;
    cleanup.working = new Promise((resolve) => {
      done = resolve;
    });
    const { frame, type, drawn } = await open(cleanup);
    await type("u", "r", "y");
    expect(cleanup.resumed).toEqual(["job_1"]);
    cleanup.options?.onProgress?.({
      messagesDone: 10,
      messagesTotal: 41,
      partsPruned: 30,
      bytesPruned: 1_000_000,
      elapsed: 2_000,
    });
    await new Promise((resolve) => setTimeout(resolve, 350));
    await drawn();
    expect(frame()).toContain("10 of 41 messages");
    expect(frame()).toContain("30 parts, 1.0 MB pruned");
    await type("escape");
    expect(cleanup.options?.signal?.aborted).toBe(true);
    done();
    await drawn();
    expect(frame()).toContain("Pruned 120 parts in 41 messages: 3.1 MB.");
    await type("escape");
    expect(frame()).toContain("Sessions 7");
    expect(frame()).not.toContain("An interrupted cleanup");
  });

  it("lets the sessions be planned again where something was refused for now", async () => {
    const cleanup = new FakeCleanup();
    cleanup.report = {
      refused: [
        { sessionID: "ses_login", messageID: "msg_1", parts: 3, reason: "maintenance_required" },
        { sessionID: "ses_names", messageID: "msg_2", parts: 3, reason: "not_deletable" },
      ],
    };
    const { frame, type } = await open(cleanup);
    await type("u", "r", "y", "r");
    expect(frame()).toContain("Clean whole sessions");
    expect(frame()).toContain("Fix the login form");
    expect(frame()).not.toContain("Renommer");
  });

  it("says why it could not be resumed", async () => {
    const cleanup = new FakeCleanup();
    cleanup.failure = new Error("another opencode-prune resumed it.");
    const { frame, type } = await open(cleanup);
    await type("u", "r", "y");
    expect(frame()).toContain("The cleanup broke off: another opencode-prune resumed it.");
    expect(frame()).toContain("Interrupted cleanups");
  });

  it("is discarded with d and y only", async () => {
    const { frame, type, cleanup } = await open();
    await type("u", "d");
    expect(frame()).toContain("Forgets what was left; 41 messages stay as they are.");
    await type("r");
    expect(cleanup.discarded).toEqual([]);
    await type("d", "y");
    expect(cleanup.discarded).toEqual(["job_1"]);
    expect(cleanup.resumed).toEqual([]);
    expect(frame()).toContain("The cleanup is discarded.");
    expect(frame()).toContain("No cleanup is interrupted.");
  });

  it("that somebody else took is not discarded, and that is said", async () => {
    const { frame, type, cleanup } = await open();
    await type("u", "d");
    cleanup.jobs = [];
    await type("y");
    expect(frame()).toContain("This cleanup is not interrupted any more");
  });

  it("is left for later with Esc: the line is gone, the key stays", async () => {
    const { frame, type } = await open();
    await type("u", "escape");
    expect(frame()).toContain("Sessions 7");
    expect(frame()).not.toContain(OFFER);
    expect(frame()).toContain("u interrupted");
    await type("u");
    expect(frame()).toContain("41 messages left in 2 sessions");
  });

  it("is not resumed where the plugin is missing", async () => {
    const { frame, type, cleanup } = await open(new FakeCleanup(), {
      prepare(ports) {
        exampleHistory(ports);
        ports.plugin.state = { state: "missing" };
      },
    });
    await type("u", "r", "y");
    expect(frame()).toContain("Pruning needs the plugin");
    expect(cleanup.resumed).toEqual([]);
  });

  it("is not offered where there is none", async () => {
    const cleanup = new FakeCleanup();
    cleanup.jobs = [];
    const { frame, type } = await open(cleanup);
    expect(frame()).not.toContain("interrupted");
    await type("u");
    expect(frame()).toContain("Sessions 7");
  });

  it("fits 60 columns", async () => {
    const { frame, type } = await open(new FakeCleanup(), { columns: 60, rows: 15 });
    expect(
      frame()
        .split("\n")
        .every((line) => line.length <= 60),
    ).toBe(true);
    await type("u", "r");
    await expect(`${frame()}\n`).toMatchFileSnapshot("golden/interrupted-60x15.txt");
  });
});

describe("a cleanup that could not be resumed", () => {
  it("says so in its plan", async () => {
    const cleanup = new FakeCleanup();
    cleanup.jobs = [];
    cleanup.notDurable = "The cleanup jobs /x/jobs.db cannot be used (disk full).";
    const { frame, type } = await open(cleanup, { columns: 120 });
    await type("c");
    expect(frame()).toContain(
      "If it is cut off, it cannot be resumed: The cleanup jobs /x/jobs.db cannot be used (disk full).",
    );
    await type("escape");
    expect(frame()).not.toContain("cut off");
  });

  it("is not what a plan that can be resumed says", async () => {
    const { frame, type } = await open(new FakeCleanup());
    await type("c");
    expect(frame()).not.toContain("cut off");
  });
});
