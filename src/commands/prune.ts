import type { MessageOutline, TechnicalType } from "../contract/index.ts";
import { createPruning, referenceTo } from "../pruning/index.ts";
import type { PartReference, PrunePlan, PruneReport, Refusal } from "../state/ports.ts";
import { findSession, type GlobalOptions, openConnection } from "./connection.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { untilInterrupted } from "./interruption.ts";
import { readOutlines } from "./outlines.ts";
import { printLines } from "./table.ts";
import { counted, quantities, words } from "./words.ts";

export interface PruneFlags extends GlobalOptions {
  readonly tools?: boolean;
  readonly reasoning?: boolean;
  readonly yes?: boolean;
}

/**
 * `opencode-prune prune SESSION`: deletes the tool parts, the reasoning parts, or both, of a session's settled
 * messages. Without `--yes` it only says what would go. Answers the exit code.
 */
export async function prune(sessionID: string, flags: PruneFlags): Promise<number> {
  const types = wantedTypes(flags);
  const interruption = untilInterrupted();
  const { signal } = interruption;
  try {
    const { client } = await openConnection(flags, signal);
    const session = await findSession(client, sessionID, signal);
    const outlines = await readOutlines(client, session.id, signal);
    const pruning = createPruning({ client });
    const plan = await pruning.plan(referencesIn(session.id, outlines, types), signal);
    if (plan.messages.length === 0) {
      printLines(["Nothing to prune.", ...refusalLines(plan.refused)]);
      return EXIT.done;
    }
    if (!flags.yes) {
      printLines([...planLines(plan), ...refusalLines(plan.refused)]);
      throw new CommandFailure("Nothing was pruned; say --yes to delete this for good.", EXIT.usage);
    }
    const report = await pruning.prune(plan, { signal });
    printLines(reportLines(report));
    return report.stopped || report.refused.length > 0 ? EXIT.partial : EXIT.done;
  } finally {
    interruption.release();
  }
}

/** Both kinds, unless one was named. */
function wantedTypes({ tools, reasoning }: PruneFlags): ReadonlySet<TechnicalType> {
  if (tools === reasoning) return new Set(["tool", "reasoning"]);
  return new Set([tools ? "tool" : "reasoning"]);
}

/** Messages that cannot be pruned now are left out: they were not asked for by name. */
function referencesIn(
  sessionID: string,
  outlines: readonly MessageOutline[],
  types: ReadonlySet<TechnicalType>,
): readonly PartReference[] {
  return outlines
    .filter((message) => message.unprunable === undefined)
    .flatMap(({ messageID, parts }) =>
      parts.filter((part) => types.has(part.type)).map((part) => referenceTo({ sessionID, messageID }, part)),
    );
}

function planLines(plan: PrunePlan): readonly string[] {
  const stays = plan.messages.reduce((sum, message) => sum + message.stays.parts, 0);
  return [
    `Would prune ${counted(plan.parts, "part")} (${quantities.bytes(plan.bytes)}) of ${counted(plan.messages.length, "message")}, and keep ${counted(stays, "part")} of them.`,
    "This cannot be undone.",
  ];
}

function reportLines(report: PruneReport): readonly string[] {
  const lines = [
    `Pruned ${counted(report.prunedParts, "part")} (${quantities.bytes(report.prunedBytes)}) of ${counted(report.prunedMessages, "message")}.`,
    ...refusalLines(report.refused),
  ];
  if (report.stopped) lines.push(`Stopped: ${counted(report.skippedMessages, "message")} not asked for.`);
  return lines;
}

/** One line a reason. */
function refusalLines(refused: readonly Refusal[]): readonly string[] {
  const parts = new Map<Refusal["reason"], number>();
  for (const { reason, parts: more } of refused) parts.set(reason, (parts.get(reason) ?? 0) + more);
  return [...parts].map(
    ([reason, count]) => `Not pruned: ${counted(count, "part")}. ${words.reasons[reason]}`,
  );
}
