import { MAX_QUERY_LENGTH } from "../contract/index.ts";
import type { OpenCodeClient } from "../opencode/index.ts";
import { type SearchedSession, searchContent } from "../sync/index.ts";
import { findSession, type GlobalOptions, openConnection } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { createProgressLine } from "./progress-line.ts";
import { historySource } from "./source.ts";
import { printLines } from "./table.ts";
import { counted, quantities } from "./words.ts";

export interface SearchOptions extends GlobalOptions {
  readonly session?: string;
  readonly textOnly?: boolean;
  readonly limit?: number;
}

type Hit = DocumentBody<"search">["hits"][number];

const LIMIT = 100;

/** `opencode-prune search TEXT`: hits as they come; exits with 3 when not everything was looked into. */
export async function search(text: string, options: SearchOptions): Promise<number> {
  if (text === "" || text.length > MAX_QUERY_LENGTH) {
    throw new CommandFailure(`Name a text of 1 to ${MAX_QUERY_LENGTH} characters to search for.`, EXIT.usage);
  }
  const { signal, release } = untilInterrupted();
  const progress = createProgressLine();
  const limit = options.limit ?? LIMIT;
  const hits: Hit[] = [];
  let scanned = 0;
  let skipped = 0;
  let isCut = false;
  try {
    const { client } = await openConnection(options, signal);
    const sessions = await searched(client, options.session, signal);
    const query = { query: text, includeTechnical: options.textOnly !== true, sessions };
    const scope = options.session === undefined ? {} : { sessionID: options.session };
    try {
      for await (const found of searchContent(client, { ...query, ...scope }, signal)) {
        scanned += found.scanned;
        skipped += found.skipped;
        isCut = hits.length + found.hits.length > limit;
        const fresh = found.hits
          .slice(0, limit - hits.length)
          .map(({ kind, ...hit }) => ({ ...hit, part: kind }));
        hits.push(...fresh);
        progress.clear();
        if (!options.json) printLines(fresh.flatMap(hitLines));
        if (isCut) break;
        progress.show(0, 0, `${counted(scanned, "message")} searched`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    progress.clear();
    const complete = !isCut && !signal.aborted && skipped === 0;
    if (options.json) printDocument("search", { query: text, hits, scanned, skipped, complete });
    else printLines([summary(hits.length, scanned, skipped, isCut)]);
    return complete ? EXIT.done : EXIT.partial;
  } finally {
    progress.clear();
    release();
  }
}

async function searched(
  client: OpenCodeClient,
  sessionID: string | undefined,
  signal: AbortSignal,
): Promise<readonly SearchedSession[]> {
  if (sessionID !== undefined) {
    const { location, projectID } = await findSession(client, sessionID, signal);
    return [{ sessionID, directory: location.directory, projectID }];
  }
  const sessions: SearchedSession[] = [];
  for await (const page of historySource(client).sessions(signal)) sessions.push(...page);
  return sessions;
}

function hitLines({ sessionID, messageID, role, partIndex, part, excerpt }: Hit): readonly string[] {
  const where = role === "assistant" ? `part ${partIndex}, ${part}` : role;
  return [`${sessionID} ${messageID} ${where}`, `    ${excerpt.replace(/\s+/g, " ")}`];
}

function summary(hits: number, scanned: number, skipped: number, isCut: boolean): string {
  const missing = skipped > 0 ? ` ${counted(skipped, "message")} could not be looked into.` : "";
  const more = isCut ? " It ended at the limit; ask for more with --limit." : "";
  return `${quantities.count(hits)} found in ${counted(scanned, "message")}.${missing}${more}`;
}
