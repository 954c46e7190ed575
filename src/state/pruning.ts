import type { AppContext } from "./app-context.ts";
import type { Asked, Plan, ScreenName, Work } from "./app-state.ts";
import { cleanupConfirmation, isConfirmedBy, pruneConfirmation } from "./confirmation.ts";
import type { InterruptedCleanup, PlanProgress, PruneOptions, PruneProgress, PruneReport } from "./ports.ts";
import { problemOf } from "./problem.ts";
import { isPassing, worthAskingAgain } from "./retry.ts";
import { topScreen } from "./screens.ts";

/** Work that takes longer than this shows how far it is. Milliseconds. */
export const SHOWN_AFTER = 300;

/** What is under the result of a prune, and is come back to. */
const KEPT_BELOW_A_RESULT: ReadonlySet<ScreenName> = new Set(["sessions", "found", "parts"]);

/** Select → preview → confirm → prune. Only `run` deletes, and only a confirmed plan reaches it. */
export function pruningActions(context: AppContext) {
  const { ports, get, now, change, tell, push } = context;
  let controller: AbortController | undefined;
  let finished: Promise<void> = Promise.resolve();

  function ask(asked: Asked): void {
    if (get().work.kind === "running") {
      tell({ kind: "busy" });
      return;
    }
    controller?.abort();
    const current = new AbortController();
    controller = current;
    push(asked.what === "prune" ? "preview" : "cleanup", {
      work: { kind: "planning", asked, since: now() },
    });
    const onProgress = (progress: PlanProgress) => {
      const { work } = get();
      if (work.kind === "planning" && !current.signal.aborted) change({ work: { ...work, progress } });
    };
    planFor(asked, current.signal, onProgress).then(
      (plan) => {
        if (!current.signal.aborted) change({ work: plannedWork(asked, plan) });
      },
      (error: unknown) => {
        if (!current.signal.aborted)
          change({ work: { kind: "failed", asked, during: "planning", problem: problemOf(error) } });
      },
    );
  }

  async function planFor(
    asked: Asked,
    signal: AbortSignal,
    onProgress: (progress: PlanProgress) => void,
  ): Promise<Plan> {
    if (asked.what === "prune") {
      return {
        what: "prune",
        plan: await ports.pruning.plan(asked.references, signal, onProgress),
        closed: new Set(),
      };
    }
    if (ports.cleanup === undefined) throw new Error("cleaning whole sessions is not available");
    return { what: "cleanup", plan: await ports.cleanup.plan(asked.sessionIDs, signal, onProgress) };
  }

  function run(): void {
    const { work } = get();
    if (work.kind !== "planned") return;
    const { asked } = work;
    const { parts, bytes } = work.plan;
    perform({ asked, parts, bytes }, (options) => send(work, options), {
      finished: (report) => finish({ report, ...worthAskingAgain(work, report) }),
      failed: (problem) => change({ work: { kind: "failed", asked, during: "running", problem } }),
    });
  }

  /** Deletes, shows how far it is, and hands over to what comes after it. */
  function perform(
    what: Pick<Extract<Work, { kind: "running" }>, "asked" | "parts" | "bytes">,
    deletes: (options: PruneOptions) => Promise<PruneReport>,
    after: { finished: (report: PruneReport) => void; failed: (problem: string) => void },
  ): void {
    const current = new AbortController();
    controller = current;
    change({ work: { kind: "running", ...what, since: now(), stopping: false } });
    const options: PruneOptions = {
      signal: current.signal,
      onProgress(progress: PruneProgress) {
        const running = get().work;
        if (running.kind === "running") change({ work: { ...running, progress } });
      },
    };
    const slow = setTimeout(() => push("progress", { now: now() }), SHOWN_AFTER);
    finished = deletes(options)
      .then(after.finished, (error: unknown) => {
        change({ screens: get().screens.filter((screen) => screen !== "progress") });
        after.failed(problemOf(error));
      })
      .finally(() => clearTimeout(slow));
  }

  async function send(plan: Plan, options: PruneOptions): Promise<PruneReport> {
    if (plan.what === "prune") return ports.pruning.prune(plan.plan, options);
    if (ports.cleanup === undefined) throw new Error("cleaning whole sessions is not available");
    return ports.cleanup.run(plan.plan, options);
  }

  async function resumeWith(cleanup: InterruptedCleanup, options: PruneOptions): Promise<PruneReport> {
    if (ports.cleanup?.resume === undefined) throw new Error("resuming a cleanup is not available");
    return ports.cleanup.resume(cleanup, options);
  }

  function finish(summary: { report: PruneReport; again?: Asked }): void {
    const below = get().screens.filter((screen) => KEPT_BELOW_A_RESULT.has(screen));
    change({ work: { kind: "none" }, summary, screens: [...below, "summary"], detail: undefined });
  }

  return {
    ask,
    run,
    preview() {
      const { selection, parts } = get();
      const sessionIDs =
        topScreen(get()) === "parts" && parts !== undefined ? [parts.sessionID] : selection.model.sessionIDs;
      const references = sessionIDs.flatMap((sessionID) => selection.model.references(sessionID));
      if (references.length === 0) tell({ kind: "nothing_selected" });
      else ask({ what: "prune", references });
    },
    clean(sessionIDs: readonly string[]) {
      if (sessionIDs.length > 0) ask({ what: "cleanup", sessionIDs });
    },
    askAgain() {
      const { work, summary } = get();
      if (work.kind === "planned" || work.kind === "failed") ask(work.asked);
      else if (summary?.again !== undefined) ask(summary.again);
    },
    /** Sends what is left of a cleanup that was cut off. */
    resume(cleanup: InterruptedCleanup) {
      if (get().work.kind === "running") return tell({ kind: "busy" });
      controller?.abort();
      const { parts, bytes } = cleanup.left;
      perform({ parts, bytes }, (options) => resumeWith(cleanup, options), {
        finished: (report) => finish({ report, ...sessionsToAskAgain(report) }),
        failed(problem) {
          change({ work: { kind: "none" } });
          tell({ kind: "cleanup_failed", text: problem });
        },
      });
    },
    /** Stops planning at once, and a run after the request that it is at. */
    stop() {
      const { work } = get();
      controller?.abort();
      if (work.kind === "running") change({ work: { ...work, stopping: true } });
    },
    confirm(): "ask_number" | undefined {
      const { work } = get();
      if (work.kind !== "planned") return undefined;
      if (work.confirmation.typed) return "ask_number";
      run();
      return undefined;
    },
    confirmWith(text: string): boolean {
      const { work } = get();
      if (work.kind !== "planned" || !isConfirmedBy(work.confirmation, text)) return false;
      run();
      return true;
    },
    fold(messageID: string) {
      const { work } = get();
      if (work.kind !== "planned" || work.what !== "prune") return;
      const closed = new Set(work.closed);
      if (!closed.delete(messageID)) closed.add(messageID);
      change({ work: { ...work, closed } });
    },
    /** Resolves when nothing is being pruned any more. */
    settled: () => finished,
  };
}

function plannedWork(asked: Asked, plan: Plan): Work {
  const confirmation = plan.what === "prune" ? pruneConfirmation(plan.plan) : cleanupConfirmation(plan.plan);
  return { kind: "planned", asked, outdated: new Set(), confirmation, ...plan };
}

/** The sessions of which something was refused for now. What was left out is an interrupted cleanup again. */
function sessionsToAskAgain({ refused }: PruneReport): { again?: Asked } {
  const passing = refused.filter(({ reason }) => isPassing(reason));
  const sessionIDs = [...new Set(passing.map(({ sessionID }) => sessionID))];
  return sessionIDs.length > 0 ? { again: { what: "cleanup", sessionIDs } } : {};
}
