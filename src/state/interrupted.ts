import type { AppContext } from "./app-context.ts";
import type { InterruptedView } from "./app-state.ts";
import type { InterruptedCleanup } from "./ports.ts";
import { problemOf } from "./problem.ts";
import type { pruningActions } from "./pruning.ts";
import { rowAtCursor } from "./screens.ts";

/** Cleanups that were cut off: looking at them, and resuming or discarding one after a question. */
export function interruptedActions(
  { ports: { cleanup }, get, change, tell, push, pop }: AppContext,
  pruning: ReturnType<typeof pruningActions>,
) {
  /** Looks again: a claim runs out some time after its program was killed. */
  function check(): void {
    const jobs = cleanup?.interrupted?.() ?? [];
    const { interrupted } = get();
    if (JSON.stringify(jobs) === JSON.stringify(interrupted.jobs)) return;
    const isNew = jobs.some(({ jobID }) => interrupted.jobs.every((known) => known.jobID !== jobID));
    change({
      interrupted: { ...withoutQuestion(interrupted), jobs, isPutOff: interrupted.isPutOff && !isNew },
    });
  }

  function ask(kind: "resume" | "discard"): void {
    const job = rowAtCursor(get(), "interrupted")?.job;
    if (job !== undefined) change({ interrupted: { ...get().interrupted, question: { kind, job } } });
  }

  function resume(job: InterruptedCleanup): void {
    pruning.resume(job);
    pruning.settled().then(check);
  }

  function discard(job: InterruptedCleanup): void {
    try {
      tell({ kind: cleanup?.discard?.(job) ? "discarded" : "not_interrupted" });
    } catch (error) {
      tell({ kind: "cleanup_failed", text: problemOf(error) });
    }
    check();
  }

  return {
    check,
    show: () => push("interrupted"),
    askResume: () => ask("resume"),
    askDiscard: () => ask("discard"),
    isAsking: () => get().interrupted.question !== undefined,
    agree(): void {
      const { question } = get().interrupted;
      takeBack();
      if (question?.kind === "resume") resume(question.job);
      if (question?.kind === "discard") discard(question.job);
    },
    takeBack,
    /** Later: the line in the sessions is not shown again, the key stays. */
    close: () => pop({ interrupted: { ...withoutQuestion(get().interrupted), isPutOff: true } }),
  };

  function takeBack(): void {
    change({ interrupted: withoutQuestion(get().interrupted) });
  }
}

function withoutQuestion({ question: _, ...rest }: InterruptedView): InterruptedView {
  return rest;
}
