import type { OpenCodeClient } from "../opencode/index.ts";
import { type FoundText, type HistoryPort, messageIndex, type SearchPort } from "../state/index.ts";
import { type HistoryCache, type HistorySource, type SearchedSession, searchContent } from "../sync/index.ts";

export interface ContentSearchOptions {
  readonly client: OpenCodeClient;
  readonly history: Pick<HistoryPort, "snapshot">;
  readonly source: Pick<HistorySource, "sessions">;
  readonly cache: Pick<HistoryCache, "outline">;
}

/** Searching content for the app: over whatever can search, each hit with the time of its message. */
export function createContentSearch(options: ContentSearchOptions): SearchPort {
  const { client, history, source } = options;

  async function sessionsToSearch(signal: AbortSignal): Promise<readonly SearchedSession[]> {
    const { listed, sessions } = history.snapshot();
    if (listed) return [...sessions.values()];
    const read: SearchedSession[] = [];
    for await (const page of source.sessions(signal)) read.push(...page);
    return read;
  }

  return {
    async *search({ text, sessionID }, signal) {
      const createdOf = messageTimes(options, signal);
      const sessions = await sessionsToSearch(signal);
      const query = { query: text, sessions, ...(sessionID === undefined ? {} : { sessionID }) };
      for await (const { hits, ...step } of searchContent(client, query, signal)) {
        yield {
          ...step,
          hits: await Promise.all(
            hits.map(async ({ partIndex: _, ...hit }) => ({ ...hit, ...(await createdOf(hit)) })),
          ),
        };
      }
    },
  };
}

type Reference = Pick<FoundText, "sessionID" | "messageID">;

/** Looks a message's time up in what is known of its session; reads the message where nothing is. */
function messageTimes({ client, history, cache }: ContentSearchOptions, signal: AbortSignal) {
  const kept = new Map<string, ReadonlyMap<string, number>>();

  function known({ sessionID, messageID }: Reference): number | undefined {
    const outline = history.snapshot().outlines.get(sessionID);
    const index = messageIndex(outline, messageID);
    if (outline !== undefined && index !== undefined) return outline.messages[index]?.created;
    const before = kept.get(sessionID);
    if (before !== undefined) return before.get(messageID);
    const messages = cache.outline(sessionID)?.messages ?? [];
    const times = new Map(messages.map((message) => [message.messageID, message.created]));
    kept.set(sessionID, times);
    return times.get(messageID);
  }

  return async (reference: Reference): Promise<Pick<FoundText, "created">> => {
    const created = known(reference) ?? (await readTime(client, reference, signal));
    return created === undefined ? {} : { created };
  };
}

/** A hit without a time is better than none, so a message that cannot be read has none. */
async function readTime(
  client: OpenCodeClient,
  reference: Reference,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const message = await client.session.message(reference, { signal });
    return message.time.created;
  } catch {
    return undefined;
  }
}
