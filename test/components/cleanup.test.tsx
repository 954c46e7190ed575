import { describe, expect, it } from "vitest";
import type { CleanupPlan, CleanupPort, PruneReport } from "../../src/state/index.ts";
import { exampleHistory } from "./example.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

/** Plans what it is asked for as it is told to, and reports what it is told to. */
class FakeCleanup implements CleanupPort {
  readonly asked: (readonly string[])[] = [];
  readonly ran: CleanupPlan[] = [];
  refusedIDs: readonly string[] = [];
  report: Partial<PruneReport> = {};
  problem: string | undefined;
  readonly #listeners = new Set<(problem: string) => void>();

  async plan(sessionIDs: readonly string[]): Promise<CleanupPlan> {
    this.asked.push(sessionIDs);
    const sessions = sessionIDs.map((sessionID) =>
      this.refusedIDs.includes(sessionID)
        ? {
            sessionID,
            eligible: { messages: 0, parts: 0, bytes: 0 },
            skipped: [],
            refused: "maintenance_required" as const,
          }
        : { sessionID, eligible: { messages: 2, parts: 5, bytes: 700 }, skipped: [] },
    );
    const eligible = sessions.filter((one) => one.refused === undefined).length;
    return {
      sessions,
      requests: eligible,
      messages: 2 * eligible,
      parts: 5 * eligible,
      bytes: 700 * eligible,
    };
  }

  async run(plan: CleanupPlan): Promise<PruneReport> {
    this.ran.push(plan);
    for (const listener of this.#listeners) if (this.problem !== undefined) listener(this.problem);
    return {
      prunedParts: plan.parts,
      prunedMessages: plan.messages,
      prunedBytes: plan.bytes,
      skippedMessages: 0,
      refused: [],
      stopped: false,
      ...this.report,
    };
  }

  onProblem(listener: (problem: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

async function openWith(cleanup: FakeCleanup): Promise<OpenedScreen> {
  return openScreen({ prepare: exampleHistory, rows: 24, cleanup });
}

describe("cleaning whole sessions", () => {
  it("plans the session under the cursor with c, and shows the plan first", async () => {
    const cleanup = new FakeCleanup();
    const { frame, type } = await openWith(cleanup);
    await type("j", "c");
    expect(cleanup.asked).toEqual([["ses_build"]]);
    expect(frame()).toContain("1 session eligible, 0 parts skipped, 0 sessions refused");
    expect(frame()).toContain("Deletes 5 parts (700 B) of 2 messages for good, in 1 request.");
    expect(cleanup.ran).toEqual([]);
  });

  it("plans the open session with c", async () => {
    const cleanup = new FakeCleanup();
    const { type } = await openWith(cleanup);
    await type("enter", "c");
    expect(cleanup.asked).toEqual([["ses_migrate"]]);
  });

  it("plans every session of the filter with C", async () => {
    const cleanup = new FakeCleanup();
    cleanup.refusedIDs = ["ses_login"];
    const { frame, type } = await openWith(cleanup);
    await type("/", "site", "enter", "C");
    expect(cleanup.asked).toEqual([["ses_build", "ses_login"]]);
    expect(frame()).toContain("1 session eligible, 0 parts skipped, 1 session refused");
    expect(frame()).toContain("refused: session or database in use");
    await type("j");
    expect(frame()).toContain("The session is running, compacting or has a staged revert");
  });

  it("asks for the number, however few parts it is, and runs the plan that was shown", async () => {
    const cleanup = new FakeCleanup();
    const { frame, type } = await openWith(cleanup);
    await type("c", "y");
    expect(frame()).toContain("Type 5 to prune 5 parts for good:");
    expect(cleanup.ran).toEqual([]);
    await type("5", "enter");
    expect(cleanup.ran).toHaveLength(1);
    expect(cleanup.ran[0]?.sessions.map((one) => one.sessionID)).toEqual(["ses_migrate"]);
    expect(frame()).toContain("Pruned 5 parts in 2 messages: 700 B.");
    await type("escape");
    expect(frame()).toContain("Sessions 7");
  });

  it("plans the same sessions again with r where something was refused for now", async () => {
    const cleanup = new FakeCleanup();
    cleanup.report = {
      refused: [{ sessionID: "ses_migrate", messageID: "msg_1", parts: 3, reason: "conflict" }],
    };
    const { type } = await openWith(cleanup);
    await type("c", "y", "5", "enter", "r");
    expect(cleanup.asked).toEqual([["ses_migrate"], ["ses_migrate"]]);
    expect(cleanup.ran).toHaveLength(1);
  });

  it("marks a session that changed after it was planned", async () => {
    const { type, history, app, drawn } = await openWith(new FakeCleanup());
    await type("c");
    history.notify({ at: 1, kind: "pruned", sessionID: "ses_migrate", messageID: "msg_1", byUs: false });
    await drawn();
    expect(app.store.getState().work).toMatchObject({ outdated: new Set(["ses_migrate"]) });
  });

  it("says why a run stopped on its result, and in the events", async () => {
    const cleanup = new FakeCleanup();
    cleanup.problem = "The disk is full; make room.";
    cleanup.report = { prunedParts: 0, prunedMessages: 0, prunedBytes: 0, skippedMessages: 2, stopped: true };
    const { frame, type } = await openWith(cleanup);
    await type("c", "y", "5", "enter");
    expect(frame()).toContain("Nothing was pruned.");
    expect(frame()).toContain("The disk is full; make room.");
    await type("e");
    expect(frame()).toContain("problem: The disk is full; make room.");
  });

  it("is neither offered nor named where it is not available", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, rows: 40 });
    await type("c");
    expect(frame()).toContain("Sessions 7");
    await type("?");
    expect(frame()).not.toContain("everything technical of this session");
  });
});
