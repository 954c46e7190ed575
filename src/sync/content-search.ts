import {
  HISTORY_METHOD,
  type HistoryHit,
  HistoryOutput,
  LiteralSearch,
  PRUNING_RPC,
  searchableTexts,
} from "../contract/index.ts";
import { messagePages, NotFoundError, type OpenCodeClient } from "../opencode/index.ts";
import { atFirstThatServes, type Method, OptionalMethods } from "./rpc-call.ts";
import { searchRoots } from "./search-roots.ts";

const HISTORY: Method<HistoryOutput> = { rpcID: PRUNING_RPC, method: HISTORY_METHOD, output: HistoryOutput };

export interface ContentQuery {
  /** Sought literally, in upper and lower case alike; at most 200 characters. */
  readonly query: string;
  /** Whether tool and reasoning parts are searched too; true unless given. */
  readonly includeTechnical?: boolean;
  /** These sessions, or one of them alone. */
  readonly sessions: readonly SearchedSession[];
  readonly sessionID?: string;
}

export interface SearchedSession {
  readonly sessionID: string;
  readonly directory: string;
  readonly projectID: string;
}

/** What one step of a search found. Excerpts are content: sanitise them, and keep them off the disk. */
export interface FoundContent {
  readonly hits: readonly HistoryHit[];
  /** Messages looked into by this step, and those that could not be. */
  readonly scanned: number;
  readonly skipped: number;
  /** `plugin`: inside the daemon, by whichever plugin serves `history`. `native`: whole messages came over the wire. */
  readonly through: "plugin" | "native";
}

/**
 * Searches the content of history, step by step, in no particular order of sessions; end it with the signal, or by
 * leaving the loop. The plugin does the work where it is served; elsewhere the messages are read one page at a time.
 */
export async function* searchContent(
  client: OpenCodeClient,
  query: ContentQuery,
  signal: AbortSignal,
): AsyncGenerator<FoundContent> {
  if (query.query === "") return;
  const methods = new OptionalMethods(client, Date.now);
  const seen = new Set<string>();
  const { sessionID } = query;
  const sessions =
    sessionID === undefined ? query.sessions : query.sessions.filter((one) => one.sessionID === sessionID);
  for (const root of searchRoots(sessions, sessionID === undefined)) {
    const scope = sessionID === undefined ? {} : { sessionID };
    const served = yield* scanWithPlugin(methods, { ...query, ...scope }, root.directory, seen, signal);
    if (served) continue;
    for (const session of root.sessions) yield* scanNatively(client, query, session.sessionID, seen, signal);
  }
}

/** Answers false when nobody serves it there. */
async function* scanWithPlugin(
  methods: OptionalMethods,
  { query, includeTechnical = true, sessionID }: ContentQuery,
  directory: string,
  seen: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<FoundContent, boolean> {
  let cursor: string | null = null;
  do {
    const input: object = {
      query,
      includeTechnical,
      purpose: "search",
      ...(sessionID === undefined ? {} : { sessionID }),
      ...(cursor === null ? {} : { cursor }),
    };
    const page: HistoryOutput | undefined = await atFirstThatServes([directory], (at) =>
      methods.call(HISTORY, input, at, signal),
    );
    if (page?.status !== "page") return false;
    const { scanned, skipped } = page;
    yield { hits: unseen(page.hits, seen), scanned, skipped, through: "plugin" };
    cursor = page.cursor;
  } while (cursor !== null);
  return true;
}

async function* scanNatively(
  client: OpenCodeClient,
  { query, includeTechnical = true }: ContentQuery,
  sessionID: string,
  seen: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<FoundContent> {
  const search = new LiteralSearch(query);
  try {
    for await (const page of messagePages(client, { sessionID }, { signal })) {
      const hits: HistoryHit[] = [];
      for (const message of page) {
        const hit = hitIn(search, message, includeTechnical);
        if (hit) hits.push({ sessionID, messageID: message.id, role: message.type, ...hit });
      }
      yield { hits: unseen(hits, seen), scanned: page.length, skipped: 0, through: "native" };
    }
  } catch (error) {
    // The session was deleted meanwhile.
    if (!(error instanceof NotFoundError) || error.tag === "") throw error;
  }
}

function hitIn(search: LiteralSearch, message: { readonly type: string }, includeTechnical: boolean) {
  for (const { partIndex, kind, text } of searchableTexts(message.type, message, includeTechnical)) {
    const excerpt = search.excerpt(text);
    if (excerpt !== undefined) return { partIndex, kind, excerpt };
  }
  return undefined;
}

/** A scan that fell back half way, or two locations of one folder, find the same message twice. */
function unseen(hits: readonly HistoryHit[], seen: Set<string>): readonly HistoryHit[] {
  const fresh = hits.filter(({ messageID }) => !seen.has(messageID));
  for (const { messageID } of fresh) seen.add(messageID);
  return fresh;
}
