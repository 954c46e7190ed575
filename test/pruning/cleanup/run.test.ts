import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { InterruptedJob } from "../../../src/pruning/index.ts";
import type { PruneProgress } from "../../../src/state/ports.ts";
import { cleaning, temporaryFolder } from "./support/cleanup.ts";
import { FakeDaemon, messages } from "./support/fake-daemon.ts";

/** A daemon with one session of so many messages, two technical parts each. */
function daemonWith(count: number): FakeDaemon {
  const daemon = new FakeDaemon();
  daemon.add("ses_1", messages(count));
  return daemon;
}

async function clean(daemon: FakeDaemon, sessionIDs = ["ses_1"]) {
  const made = cleaning(daemon);
  const plan = await made.cleanup.plan(sessionIDs);
  const report = await made.cleanup.run(plan, {});
  return { ...made, plan, report };
}

describe("a cleanup", () => {
  it("is written down before its first request, and finished after its last", async () => {
    const daemon = daemonWith(3);
    const folder = temporaryFolder();
    const { cleanup } = cleaning(daemon, folder);
    const later = cleaning(daemon, folder, () => Date.now() + 31_000);
    const plan = await cleanup.plan(["ses_1"]);
    let duringFirst: readonly InterruptedJob[] = [];
    let whileItLives: readonly InterruptedJob[] = [];
    daemon.faults.push(() => {
      duringFirst = later.cleanup.interrupted();
      whileItLives = cleanup.interrupted();
    });
    await cleanup.run(plan, {});
    expect(duringFirst).toMatchObject([{ state: "unknown", left: { messages: 3, bytes: plan.bytes } }]);
    expect(whileItLives).toEqual([]);
    expect(later.cleanup.interrupted()).toEqual([]);
  });

  it("tells how far it is after every request", async () => {
    const daemon = daemonWith(130);
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    const seen: PruneProgress[] = [];
    await cleanup.run(plan, { onProgress: (step) => seen.push(step) });
    expect(
      seen.map(({ messagesDone, messagesTotal, partsPruned }) => [messagesDone, messagesTotal, partsPruned]),
    ).toEqual([
      [0, 130, 0],
      [64, 130, 128],
      [128, 130, 256],
      [130, 130, 260],
    ]);
    expect(seen.at(-1)?.bytesPruned).toBe(plan.bytes);
  });

  it("has every pruned message read again", async () => {
    const { reread } = await clean(daemonWith(3));
    expect(reread).toEqual(["msg_0000", "msg_0001", "msg_0002"]);
  });

  it("asks for nothing when there is nothing", async () => {
    const daemon = daemonWith(0);
    const { report } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 0, skippedMessages: 0, refused: [], stopped: false });
    expect(daemon.requests).toEqual([]);
  });

  it("sends again what one call did not reach", async () => {
    const daemon = daemonWith(10);
    daemon.reach = 4;
    const { report } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 10, refused: [] });
    expect(daemon.requests.map(({ input }) => input.requests.length)).toEqual([10, 6, 2]);
  });

  it("stops before the next request, and offers the rest", async () => {
    const daemon = daemonWith(130);
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    const stop = new AbortController();
    daemon.faults.push(() => stop.abort());
    const report = await cleanup.run(plan, { signal: stop.signal });
    expect(report).toMatchObject({ prunedMessages: 64, skippedMessages: 66, refused: [], stopped: true });
    expect(daemon.requests).toHaveLength(1);
    expect(cleanup.interrupted()).toMatchObject([
      { state: "more_to_do", left: { sessions: 1, messages: 66, parts: 132 } },
    ]);
  });

  it("tells why it could not begin when the server is gone, and can be resumed", async () => {
    const daemon = daemonWith(3);
    const { cleanup, problems } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    daemon.isUnreachable = true;
    expect(await cleanup.run(plan, {})).toMatchObject({ skippedMessages: 3, refused: [], stopped: true });
    expect(problems).toEqual([expect.stringContaining("could not be reached")]);
    daemon.isUnreachable = false;
    const [job] = cleanup.interrupted();
    expect(job).toMatchObject({ state: "more_to_do", left: { messages: 3 } });
    if (job) expect(await cleanup.resume(job, {})).toMatchObject({ prunedMessages: 3, stopped: false });
  });

  it("says with the plan when it could not be resumed, and works all the same", async () => {
    const daemon = daemonWith(3);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const { cleanup, problems } = cleaning(daemon, join(folder, "file"));
    const plan = await cleanup.plan(["ses_1"]);
    expect(plan.notDurable).toMatch(/cannot be resumed/);
    expect(problems).toEqual([plan.notDurable]);
    expect(await cleanup.run(plan, {})).toMatchObject({ prunedMessages: 3, refused: [] });
  });

  it("is not begun when it cannot be written down", async () => {
    const daemon = daemonWith(3);
    const { cleanup, jobs } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    jobs.create = () => {
      throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    };
    await expect(cleanup.run(plan, {})).rejects.toThrow(
      /failed \(database or disk is full.*nothing was begun/,
    );
    expect(daemon.requests).toEqual([]);
  });

  it("stops when its progress cannot be written down, and says so", async () => {
    const daemon = daemonWith(130);
    const { cleanup, jobs, problems } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    const settle = jobs.settle.bind(jobs);
    jobs.settle = () => {
      throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    };
    const report = await cleanup.run(plan, {});
    expect(report).toMatchObject({ prunedMessages: 64, skippedMessages: 66, stopped: true });
    expect(problems).toEqual([expect.stringMatching(/disk is full.*stopped/)]);
    jobs.settle = settle;
    expect(cleanup.interrupted()).toMatchObject([{ state: "unknown", left: { messages: 130 } }]);
  });

  it("tells once that the file cannot be looked at, however often it is asked for interrupted cleanups", () => {
    const { cleanup, jobs, problems } = cleaning(daemonWith(1));
    const interrupted = jobs.interrupted.bind(jobs);
    const broken = () => {
      throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
    };
    jobs.interrupted = broken;
    expect([cleanup.interrupted(), cleanup.interrupted()]).toEqual([[], []]);
    expect(problems).toEqual([expect.stringMatching(/disk I\/O error.*are not known/)]);
    jobs.interrupted = interrupted;
    cleanup.interrupted();
    jobs.interrupted = broken;
    cleanup.interrupted();
    expect(problems).toHaveLength(2);
  });

  it("refuses a plan that was made elsewhere", async () => {
    const { cleanup } = cleaning(daemonWith(1));
    const plan = await cleanup.plan(["ses_1"]);
    await expect(cleanup.run({ ...plan }, {})).rejects.toThrow("plan the cleanup again");
  });
});

describe("a message that is refused", () => {
  it("is counted with its reason, and the others are pruned", async () => {
    const daemon = daemonWith(3);
    daemon.blocks.push(undefined, "conflict");
    const { report, cleanup } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 2, skippedMessages: 0, stopped: false });
    expect(report.refused).toEqual([
      { sessionID: "ses_1", messageID: "msg_0001", parts: 2, reason: "conflict" },
    ]);
    expect(cleanup.interrupted()).toEqual([]);
  });

  it("is asked for again when the session was busy for a moment", async () => {
    const daemon = daemonWith(3);
    daemon.blocks.push("maintenance_required", undefined, "maintenance_required");
    const { report } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 3, refused: [] });
    expect(daemon.requests.map(({ input }) => input.requests.length)).toEqual([3, 2]);
  });

  it("spares asking for the rest of its session when that stays busy, but not for other sessions", async () => {
    const daemon = daemonWith(200);
    daemon.add("ses_2", messages(2, "other"));
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1", "ses_2"]);
    daemon.session("ses_1").blocked = "maintenance_required";
    const report = await cleanup.run(plan, {});
    expect(report).toMatchObject({ prunedMessages: 2, skippedMessages: 0, stopped: false });
    expect(report.refused).toHaveLength(200);
    expect(new Set(report.refused.map(({ reason }) => reason))).toEqual(new Set(["maintenance_required"]));
    expect(daemon.requests.filter(({ input }) => input.sessionID === "ses_1")).toHaveLength(3);
  });
});

describe("a request without an answer", () => {
  it.each(["cut_before", "cut_after"] as const)("is sent again, the very same: %s", async (fault) => {
    const daemon = daemonWith(3);
    daemon.faults.push(fault);
    const { report } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 3, prunedParts: 6, refused: [] });
    expect(daemon.deleted).toHaveLength(6);
    const [first, second] = daemon.requests;
    expect(second).toEqual(first);
  });

  it("is sent again whole when only a part of it was reached then", async () => {
    const daemon = daemonWith(9);
    daemon.reach = 4;
    daemon.faults.push("cut_after", () => {
      daemon.reach = 9;
    });
    const { report } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 9, prunedParts: 18, refused: [] });
    expect(daemon.deleted).toHaveLength(18);
  });

  it("leaves what was not reached after it unknown, since it may have been reached before", async () => {
    const daemon = daemonWith(9);
    daemon.reach = 4;
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    const stop = new AbortController();
    daemon.faults.push("cut_after", () => stop.abort());
    const report = await cleanup.run(plan, { signal: stop.signal });
    expect(report).toMatchObject({ prunedMessages: 4, skippedMessages: 5, refused: [] });
    expect(cleanup.interrupted()).toMatchObject([{ state: "unknown", left: { messages: 5 } }]);
  });

  it("stays unknown when another refusal than a conflict comes after it", async () => {
    const daemon = daemonWith(2);
    daemon.faults.push("cut_before");
    daemon.blocks.push("not_deletable", "conflict");
    const { report, cleanup } = await clean(daemon);
    expect(report.refused.map(({ reason }) => reason)).toEqual(["unknown_outcome", "conflict"]);
    expect(cleanup.interrupted()).toMatchObject([{ state: "unknown", left: { messages: 1 } }]);
  });

  it("stays unknown when none ever comes, ends the run, and is read again", async () => {
    const daemon = daemonWith(70);
    daemon.faults.push("cut_after", "cut_before", "cut_before");
    const { report, cleanup, reread } = await clean(daemon);
    expect(report).toMatchObject({ prunedMessages: 0, skippedMessages: 6, stopped: true });
    expect(new Set(report.refused.map(({ reason }) => reason))).toEqual(new Set(["unknown_outcome"]));
    expect(reread).toHaveLength(64);
    expect(cleanup.interrupted()).toMatchObject([{ state: "unknown", left: { messages: 70 } }]);
  });

  it("did not happen when nobody listened, and can be resumed", async () => {
    const daemon = daemonWith(70);
    daemon.faults.push("lost", "lost", "lost");
    const { report, cleanup, reread } = await clean(daemon);
    expect(report.refused[0]?.reason).toBe("unavailable");
    expect(report).toMatchObject({ prunedMessages: 0, skippedMessages: 6, stopped: true });
    expect(reread).toEqual([]);
    expect(cleanup.interrupted()).toMatchObject([{ state: "more_to_do", left: { messages: 70 } }]);
  });
});

describe("a job that somebody else has meanwhile", () => {
  it("is not worked on any further", async () => {
    const daemon = daemonWith(130);
    let now = 1_000_000;
    const { cleanup, jobs, problems } = cleaning(daemon, undefined, () => now);
    const plan = await cleanup.plan(["ses_1"]);
    daemon.faults.push(() => {
      now += 31_000;
      const [job] = jobs.interrupted("http://fake");
      if (!job || !jobs.claim(job, "somebody else")) throw new Error("the job was not to be had");
    });
    const report = await cleanup.run(plan, {});
    expect(daemon.requests).toHaveLength(1);
    expect(report).toMatchObject({ prunedMessages: 64, skippedMessages: 66, stopped: true });
    expect(problems).toEqual([expect.stringContaining("no longer this program's")]);
  });

  it("is not to be had while one request takes longer than the lease", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const daemon = daemonWith(130);
    const folder = temporaryFolder();
    const { cleanup } = cleaning(daemon, folder);
    const other = cleaning(daemon, folder);
    const plan = await cleanup.plan(["ses_1"]);
    let found: readonly InterruptedJob[] | undefined;
    daemon.faults.push(() => {
      vi.advanceTimersByTime(120_000);
      found = other.cleanup.interrupted();
    });
    expect(await cleanup.run(plan, {})).toMatchObject({ prunedMessages: 130, stopped: false });
    expect(found).toEqual([]);
  });

  it("is kept through a sleep of the machine when nobody took it", async () => {
    const daemon = daemonWith(130);
    let now = 1_000_000;
    const { cleanup, problems } = cleaning(daemon, undefined, () => now);
    const plan = await cleanup.plan(["ses_1"]);
    daemon.faults.push(() => {
      now += 3_600_000;
    });
    expect(await cleanup.run(plan, {})).toMatchObject({ prunedMessages: 130, stopped: false });
    expect(problems).toEqual([]);
    expect(cleanup.interrupted()).toEqual([]);
  });
});
