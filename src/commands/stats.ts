import { OpenCodeError, UnauthorisedError, UnreachableError } from "../opencode/index.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { EXIT } from "./exit-codes.ts";
import { type FilterFlags, partFilter } from "./filter-flags.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { createProgressLine } from "./progress-line.ts";
import { historySource } from "./source.ts";
import { StatsTally } from "./stats-tally.ts";
import { printLines, tableLines } from "./table.ts";
import { counted, quantities } from "./words.ts";

/** `opencode-prune stats`: what is technical in the whole history, and what a prune with these filters frees. */
export async function stats(options: GlobalOptions & FilterFlags): Promise<number> {
  const { signal, release } = untilInterrupted();
  const progress = createProgressLine();
  try {
    const { client } = await openConnection(options, signal);
    const source = historySource(client);
    const tally = new StatsTally(partFilter(options, Date.now()));
    const sessions = [];
    for await (const page of source.sessions(signal)) sessions.push(...page);
    for (const [position, session] of sessions.entries()) {
      progress.show(position, sessions.length, `reading session ${position + 1} of ${sessions.length}`);
      try {
        const outline = await source.outline(session.sessionID, signal);
        if (outline) tally.add(session, outline.messages);
      } catch (error) {
        const isOver = error instanceof UnreachableError || error instanceof UnauthorisedError;
        if (!(error instanceof OpenCodeError) || isOver || signal.aborted) throw error;
        tally.failed(session.sessionID, error.message);
      }
    }
    progress.clear();
    const body = tally.body();
    if (options.json) printDocument("stats", body);
    else printLines(linesOf(body));
    return body.problems.length > 0 ? EXIT.partial : EXIT.done;
  } finally {
    progress.clear();
    release();
  }
}

type Group = { readonly parts: number; readonly bytes: number };
/** Rows of a table for people; `--json` has them all. */
const ROWS = 20;

function linesOf(body: DocumentBody<"stats">): readonly string[] {
  const { technical, prunable, busy } = body;
  return [
    `${counted(body.sessions, "session")}, ${counted(body.messages, "assistant message")}, ${quantities.bytes(body.storedBytes)} stored.`,
    `Technical: ${counted(technical.parts, "part")}, ${quantities.bytes(technical.bytes)}${shareOf(technical.bytes, body.storedBytes)}.`,
    ...groupLines("PROJECT", body.byProject, ({ directory }) => directory),
    ...groupLines("TOOL", body.byTool, ({ tool, type }) => tool ?? `(${type})`),
    ...groupLines("MONTH", body.byMonth, ({ month }) => month),
    "",
    `A prune with these filters frees ${quantities.bytes(prunable.bytes)}: ${counted(prunable.parts, "part")} of ${counted(prunable.messages, "message")} in ${counted(prunable.sessions, "session")}.`,
    ...(busy.parts > 0
      ? [
          `In use now, and refused: ${counted(busy.parts, "part")} (${quantities.bytes(busy.bytes)}) in ${counted(busy.sessions, "session")}.`,
        ]
      : []),
    ...body.problems.map(({ sessionID, problem }) => `Not read: ${sessionID}. ${problem}`),
  ];
}

function groupLines<One extends Group>(
  title: string,
  groups: readonly One[],
  nameOf: (group: One) => string,
): readonly string[] {
  if (groups.length === 0) return [];
  const more = groups.length > ROWS ? [`… and ${groups.length - ROWS} more`] : [];
  const rows = groups
    .slice(0, ROWS)
    .map((group) => [quantities.bytes(group.bytes), quantities.count(group.parts), nameOf(group)]);
  const columns = [
    { title: "SIZE", align: "end" },
    { title: "PARTS", align: "end" },
    { title, most: 80 },
  ] as const;
  return ["", ...tableLines(columns, rows), ...more];
}

function shareOf(bytes: number, all: number): string {
  return all === 0 ? "" : `, ${quantities.share(bytes / all)} of them`;
}
