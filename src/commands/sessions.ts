import type { SessionListing, SessionUsage } from "../sync/index.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { historySource } from "./source.ts";
import { printLines, tableLines } from "./table.ts";
import { quantities } from "./words.ts";

/** `opencode-prune sessions`: every session of the server, the newest first. */
export async function sessions(options: GlobalOptions): Promise<void> {
  const { signal, release } = untilInterrupted();
  try {
    const { client } = await openConnection(options, signal);
    const source = historySource(client);
    const found: SessionListing[] = [];
    for await (const page of source.sessions(signal)) found.push(...page);
    found.sort((one, other) => other.updated - one.updated);
    const usage = (await source.usage(signal)) ?? new Map<string, SessionUsage>();
    if (options.json) {
      printDocument("sessions", {
        sessions: found.map((session) => ({ ...session, ...usage.get(session.sessionID) })),
      });
    } else printLines(linesOf(found, usage));
  } finally {
    release();
  }
}

function linesOf(found: readonly SessionListing[], usage: ReadonlyMap<string, SessionUsage>) {
  const now = Date.now();
  return tableLines(
    [
      { title: "SESSION" },
      { title: "STATE" },
      { title: "UPDATED", align: "end" },
      ...(usage.size > 0 ? [{ title: "SIZE", align: "end" } as const] : []),
      { title: "LOCATION", most: 48 },
      { title: "TITLE" },
    ],
    found.map(({ sessionID, activity, updated, directory, title }) => {
      const bytes = usage.get(sessionID)?.storedBytes;
      return [
        sessionID,
        activity,
        quantities.ago(updated, now),
        ...(usage.size > 0 ? [bytes === undefined ? "" : quantities.bytes(bytes)] : []),
        directory,
        title,
      ];
    }),
  );
}
