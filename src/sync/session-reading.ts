import type { Need } from "./freshness.ts";
import type { HistorySource, MessageReading, OutlineReading, SessionListing } from "./source.ts";

/** What the daemon answered to everything that a reading asked for. */
export interface SessionAnswers {
  readonly listing?: SessionListing;
  readonly outline?: OutlineReading;
  /** A message that the daemon does not have is undefined. */
  readonly messages: ReadonlyMap<string, MessageReading | undefined>;
}

/** Messages of one session that are read at the same time. */
const MESSAGES_AT_ONCE = 4;

/**
 * Reads what is needed of one session. Messages come first, since somebody waits for each of them.
 *
 * @returns undefined when the daemon does not have the session
 */
export async function readSession(
  source: HistorySource,
  sessionID: string,
  need: Need,
  signal: AbortSignal,
): Promise<SessionAnswers | undefined> {
  // An outline holds every message; reading them one by one as well would tell nothing more.
  const messageIDs = need.outline === undefined ? [...need.messages.keys()] : [];
  const messages = new Map<string, MessageReading | undefined>();
  const work = messageIDs.values();
  const readSome = async () => {
    for (const messageID of work) {
      messages.set(messageID, await source.message({ sessionID, messageID }, signal));
    }
  };
  await Promise.all(Array.from({ length: Math.min(MESSAGES_AT_ONCE, messageIDs.length) }, readSome));
  const listing = need.summary === undefined ? undefined : await source.session(sessionID, signal);
  if (need.summary !== undefined && !listing) return undefined;
  const outline = need.outline === undefined ? undefined : await source.outline(sessionID, signal);
  if (need.outline !== undefined && !outline) return undefined;
  return { ...(listing ? { listing } : {}), ...(outline ? { outline } : {}), messages };
}
