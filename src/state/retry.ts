import type { Asked, Work } from "./app-state.ts";
import type { PruneReport, RefusalReason } from "./ports.ts";

const PASSING: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  "unavailable",
  "maintenance_required",
  "conflict",
  "incomplete",
  "folder_unusable",
  "unknown_outcome",
]);

/** Whether asking again later, or with a fresh read, can end differently. */
export function isPassing(reason: RefusalReason): boolean {
  return PASSING.has(reason);
}

/** What of a plan can sensibly be asked for again after its run: what was refused for now, and what was skipped. */
export function worthAskingAgain(
  work: Extract<Work, { kind: "planned" }>,
  report: PruneReport,
): { again?: Asked } {
  const passing = report.refused.filter((refusal) => isPassing(refusal.reason));
  if (work.asked.what === "cleanup") {
    const again = passing.length > 0 || report.stopped;
    return again ? { again: work.asked } : {};
  }
  const planned = work.what === "prune" ? work.plan.messages : [];
  const skipped = report.skippedMessages === 0 ? [] : planned.slice(-report.skippedMessages);
  const messages = new Set(
    [...passing, ...skipped].map((message) => `${message.sessionID} ${message.messageID}`),
  );
  const references = work.asked.references.filter((reference) =>
    messages.has(`${reference.sessionID} ${reference.messageID}`),
  );
  return references.length > 0 ? { again: { what: "prune", references } } : {};
}
