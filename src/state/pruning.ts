import type { AppContext } from "./app-context.ts";
import type { Asked, Plan, Work } from "./app-state.ts";
import { cleanupConfirmation, isConfirmedBy, pruneConfirmation } from "./confirmation.ts";
import type { PlanProgress, PruneProgress, PruneReport } from "./ports.ts";
import { problemOf } from "./problem.ts";
import { worthAskingAgain } from "./retry.ts";
import { topScreen } from "./screens.ts";

/** Work that takes longer than this shows how far it is. Milliseconds. */
export const SHOWN_AFTER = 300;

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
    const current = new AbortController();
    controller = current;
    const { asked } = work;
    const since = now();
    change({
      work: {
        kind: "running",
        asked,
        since,
        parts: work.plan.parts,
        bytes: work.plan.bytes,
        stopping: false,
      },
    });
    const options = {
      signal: current.signal,
      onProgress(progress: PruneProgress) {
        const running = get().work;
        if (running.kind === "running") change({ work: { ...running, progress } });
      },
    };
    const slow = setTimeout(() => push("progress", { now: now() }), SHOWN_AFTER);
    finished = send(work, options)
      .then(
        (report) => finish({ report, ...worthAskingAgain(work, report) }),
        (error: unknown) =>
          change({
            work: { kind: "failed", asked, during: "running", problem: problemOf(error) },
            screens: get().screens.filter((screen) => screen !== "progress"),
          }),
      )
      .finally(() => clearTimeout(slow));
  }

  async function send(
    plan: Plan,
    options: { signal: AbortSignal; onProgress: (progress: PruneProgress) => void },
  ): Promise<PruneReport> {
    if (plan.what === "prune") return ports.pruning.prune(plan.plan, options);
    if (ports.cleanup === undefined) throw new Error("cleaning whole sessions is not available");
    return ports.cleanup.run(plan.plan, options);
  }

  function finish(summary: { report: PruneReport; again?: Asked }): void {
    const below = get().screens.filter((screen) => screen === "sessions" || screen === "parts");
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
    /** Stops planning at once, and a run after the message that it is at. */
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
