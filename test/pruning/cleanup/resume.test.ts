import { describe, expect, it } from "vitest";
import type { InterruptedJob, JobStore } from "../../../src/pruning/index.ts";
import { cleaning, temporaryFolder } from "./support/cleanup.ts";
import { FakeDaemon, message, messages } from "./support/fake-daemon.ts";

/**
 * A cleanup of 130 messages that died after so many calls: its process is gone, and so is its lease. Answers what
 * another process finds.
 */
async function cutOffAfter(calls: number, fault?: "cut_after" | "cut_before") {
  const daemon = new FakeDaemon();
  daemon.add("ses_1", messages(130));
  const folder = temporaryFolder();
  let now = 1_000_000;
  const dying = cleaning(daemon, folder, () => now);
  const plan = await dying.cleanup.plan(["ses_1"]);
  const dead = new Promise<void>((resolve) => {
    for (let call = 1; call < calls; call += 1) daemon.faults.push(undefined);
    if (fault) daemon.faults.push(fault);
    daemon.faults.push(() => {
      die(dying.jobs);
      resolve();
    });
  });
  void dying.cleanup.run(plan, {}).catch(() => {});
  await dead;
  await new Promise((resolve) => setTimeout(resolve, 20));
  daemon.calls.length = 0;
  now += 31_000;
  const found = cleaning(daemon, folder, () => now);
  const [job] = found.cleanup.interrupted();
  if (!job) throw new Error("the job was not found");
  return { daemon, job, ...found };
}

/** From here on the process writes nothing: as if it were killed. */
function die(jobs: JobStore): void {
  for (const method of ["settle", "end", "sending", "renew", "recover"] as const) {
    Object.defineProperty(jobs, method, {
      value: () => {
        throw new Error("dead");
      },
    });
  }
}

const requestsOf = (daemon: FakeDaemon) => daemon.requests.flatMap(({ input }) => input.requests);

describe("a cleanup that was cut off", () => {
  it("is found with what has no outcome", async () => {
    const { job } = await cutOffAfter(2);
    expect(job).toMatchObject({ state: "unknown", left: { sessions: 1, messages: 66, parts: 132 } });
  });

  it("is not found while its lease lives", async () => {
    const { cleanup, job, jobs } = await cutOffAfter(1);
    jobs.claim(job, "somebody");
    expect(cleanup.interrupted()).toEqual([]);
  });

  it("is resumed with the very same requests: nothing is deleted twice, and everything is counted", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    expect(daemon.deleted).toHaveLength(128);
    const report = await cleanup.resume(job, {});
    // The first 64 were done before the cut: their receipts say so.
    expect(report).toMatchObject({ prunedMessages: 130, prunedParts: 260, refused: [], stopped: false });
    expect(daemon.deleted).toHaveLength(260);
    expect(new Set(daemon.deleted).size).toBe(260);
    expect(cleanup.interrupted()).toEqual([]);
  });

  it("is read before anything is sent", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    await cleanup.resume(job, {});
    const methods = daemon.calls.map(({ method }) => method);
    expect(methods.indexOf("history")).toBeGreaterThanOrEqual(0);
    expect(methods.lastIndexOf("history")).toBeLessThan(methods.indexOf("pruneBulk"));
  });

  it("does not send what changed meanwhile and was never sent", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    const session = daemon.session("ses_1");
    session.messages = session.messages.map((one) => {
      if (one.id === "msg_0100") return message("msg_0100", 3);
      return one.id === "msg_0101" ? { ...one, content: [{ type: "text", text: "kept" }] } : one;
    });
    const report = await cleanup.resume(job, {});
    expect(report.prunedMessages).toBe(128);
    expect(report.refused).toEqual([
      { sessionID: "ses_1", messageID: "msg_0100", parts: 2, reason: "conflict" },
      { sessionID: "ses_1", messageID: "msg_0101", parts: 2, reason: "vanished" },
    ]);
    expect(requestsOf(daemon).map(({ messageID }) => messageID)).not.toContain("msg_0100");
    expect(daemon.left("ses_1").msg_0100).toHaveLength(5);
  });

  it("touches nothing that came to the session after it was planned", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    const session = daemon.session("ses_1");
    session.messages = [...session.messages, message("msg_new", 2)];
    await cleanup.resume(job, {});
    expect(daemon.left("ses_1").msg_new).toHaveLength(4);
  });

  it("is finished without a request when its session is gone", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    daemon.sessions.clear();
    const report = await cleanup.resume(job, {});
    expect(daemon.requests).toEqual([]);
    expect(report.refused).toHaveLength(130);
    expect(new Set(report.refused.map(({ reason }) => reason))).toEqual(new Set(["vanished"]));
    expect(cleanup.interrupted()).toEqual([]);
  });

  it("learns from receipts what was done, though the session runs now", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    daemon.session("ses_1").blocked = "maintenance_required";
    const report = await cleanup.resume(job, {});
    expect(report.prunedMessages).toBe(64);
    expect(report.refused).toHaveLength(66);
    expect(daemon.deleted).toHaveLength(128);
  });

  it("can be resumed only once", async () => {
    const { cleanup, job } = await cutOffAfter(1);
    const both = await Promise.allSettled([cleanup.resume(job, {}), cleanup.resume(job, {})]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("can be stopped and resumed again, to the same end", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    const stop = new AbortController();
    daemon.faults.push(() => stop.abort());
    await cleanup.resume(job, { signal: stop.signal });
    const [again] = cleanup.interrupted();
    expect(again).toMatchObject({ state: "more_to_do", left: { messages: 66 } });
    await cleanup.resume(again as InterruptedJob, {});
    expect(daemon.deleted).toHaveLength(260);
    expect(cleanup.interrupted()).toEqual([]);
  });

  it("can be forgotten, once", async () => {
    const { daemon, cleanup, job } = await cutOffAfter(1);
    expect(cleanup.discard(job)).toBe(true);
    expect(cleanup.discard(job)).toBe(false);
    expect(cleanup.interrupted()).toEqual([]);
    await expect(cleanup.resume(job, {})).rejects.toThrow("not interrupted any more");
    expect(daemon.requests).toEqual([]);
  });
});

describe("a cleanup that was stopped", () => {
  it("is not offered any more for sessions that are cleaned anew", async () => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", messages(70));
    const { cleanup } = cleaning(daemon);
    const stop = new AbortController();
    daemon.faults.push(() => stop.abort());
    await cleanup.run(await cleanup.plan(["ses_1"]), { signal: stop.signal });
    expect(cleanup.interrupted()).toHaveLength(1);
    await cleanup.run(await cleanup.plan(["ses_1"]), {});
    expect(cleanup.interrupted()).toEqual([]);
    expect(daemon.deleted).toHaveLength(140);
  });
});
