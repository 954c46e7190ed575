import type { CachedSession } from "../cache/index.ts";
import type { MessageOutline } from "../contract/index.ts";
import type { SessionOutline, SessionSummary, TechnicalTotals } from "../state/ports.ts";
import { type Freshness, type Need, needsNothing, UNREAD } from "./freshness.ts";
import type { OutlineReading, SessionListing } from "./source.ts";

/** Everything that is known about one session. */
export interface SessionRecord {
  readonly sessionID: string;
  /** Absent while only an event told of the session. */
  readonly listing?: SessionListing;
  readonly freshness: Freshness;
  /** Read, or proved unchanged, since the event stream stands. */
  readonly listingVerified: boolean;
  readonly contentVerified: boolean;
  readonly totals?: SessionTotals;
  /** Of the state that `totals` and `outline` describe. */
  readonly fingerprint?: string;
  /** Only while it is held in memory. */
  readonly outline?: HeldOutline;
  /** Reads that failed in a row, and what the last one said. */
  readonly failures: number;
  readonly problem?: string;
  /** When the last reading ended, and how many milliseconds it took. */
  readonly readAt?: number;
  readonly readTook?: number;
}

export interface SessionTotals {
  readonly messages: number;
  readonly storedBytes: number;
  /** Absent while only the totals of the stored rows are known. */
  readonly technical?: TechnicalTotals;
}

export type HeldOutline = Pick<OutlineReading, "messages" | "others">;

export function newRecord(sessionID: string): SessionRecord {
  return { sessionID, freshness: UNREAD, listingVerified: false, contentVerified: false, failures: 0 };
}

/** What an earlier run knew: shown, and not confirmed. Whether the session runs is not kept. */
export function recordFromCache({ totals, ...listing }: CachedSession): SessionRecord {
  const record: SessionRecord = {
    ...newRecord(listing.sessionID),
    listing: { ...listing, activity: "idle" },
  };
  if (totals === undefined) return record;
  const { fingerprint, ...known } = totals;
  return { ...record, totals: known, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

export function totalsOf(outline: HeldOutline): SessionTotals {
  let storedBytes = outline.others.bytes;
  let parts = 0;
  let bytes = 0;
  for (const message of outline.messages) {
    storedBytes += message.storedBytes;
    parts += message.parts.length;
    for (const part of message.parts) bytes += part.bytes;
  }
  return {
    messages: outline.others.messages + outline.messages.length,
    storedBytes,
    technical: { parts, bytes },
  };
}

export function areEqualTotals(one: SessionTotals, other: SessionTotals): boolean {
  return (
    one.messages === other.messages &&
    one.storedBytes === other.storedBytes &&
    one.technical?.parts === other.technical?.parts &&
    one.technical?.bytes === other.technical?.bytes
  );
}

/** How much an outline weighs in memory: its messages and their technical parts. */
export function outlineWeight(outline: HeldOutline): number {
  let weight = outline.messages.length;
  for (const message of outline.messages) weight += message.parts.length;
  return weight;
}

export function isRefreshing(record: SessionRecord): boolean {
  return record.freshness.reading !== undefined || !needsNothing(record.freshness.need);
}

/** What is shown of it is what the daemon stores, as far as anybody can tell. */
function isConfirmed(record: SessionRecord): boolean {
  if (!record.listingVerified || isListingStale(record)) return false;
  return record.totals === undefined || (record.contentVerified && !isContentStale(record));
}

/** The listing was invalidated and is not read again yet. */
export function isListingStale({ freshness: { need, reading } }: SessionRecord): boolean {
  return need.summary !== undefined || reading?.need.summary !== undefined;
}

/** A message at least was invalidated and is not read again yet. */
export function isContentStale({ freshness: { need, reading } }: SessionRecord): boolean {
  const stale = (one: Need | undefined) =>
    one !== undefined && (one.outline !== undefined || one.messages.size > 0);
  return stale(need) || stale(reading?.need);
}

export function summaryOf(record: SessionRecord & { readonly listing: SessionListing }): SessionSummary {
  const { listing, totals } = record;
  return {
    ...listing,
    ...(totals === undefined ? {} : totals),
    confirmed: isConfirmed(record),
    refreshing: isRefreshing(record),
  };
}

export function outlineOf(record: SessionRecord & { readonly outline: HeldOutline }): SessionOutline {
  const { need, reading } = record.freshness;
  const outlineIsStale = need.outline !== undefined || reading?.need.outline !== undefined;
  const refreshingMessages = new Set([...need.messages.keys(), ...(reading?.need.messages.keys() ?? [])]);
  return {
    sessionID: record.sessionID,
    messages: record.outline.messages,
    confirmed: record.contentVerified && !outlineIsStale && refreshingMessages.size === 0,
    refreshing: outlineIsStale || refreshingMessages.size > 0,
    ...(record.problem === undefined ? {} : { problem: record.problem }),
    refreshingMessages,
  };
}

/**
 * A fresh outline in terms of the one that was known: messages that did not change keep their identity, and
 * withheld ones stay as they were known, or away.
 */
export function mergeOutline(
  known: HeldOutline | undefined,
  fresh: HeldOutline,
  withheld: ReadonlySet<string>,
): HeldOutline {
  const before = new Map(known?.messages.map((message) => [message.messageID, message]));
  const messages: MessageOutline[] = [];
  let same = known !== undefined;
  for (const message of fresh.messages) {
    const old = before.get(message.messageID);
    if (withheld.has(message.messageID)) {
      if (old) messages.push(old);
    } else {
      messages.push(old && sameMessage(old, message) ? old : message);
    }
    same &&= messages.at(-1) === known?.messages[messages.length - 1];
  }
  same &&= messages.length === known?.messages.length;
  same &&= fresh.others.messages === known?.others.messages && fresh.others.bytes === known.others.bytes;
  return same && known ? known : { messages, others: fresh.others };
}

/**
 * The outline after one message was read: replaced, added at the end, or taken away when it is gone. Undefined
 * when the message is new and something is not older than it, so that its place is unknown.
 */
export function withMessage(
  known: HeldOutline,
  messageID: string,
  fresh: MessageOutline | undefined,
): HeldOutline | undefined {
  const at = known.messages.findIndex((message) => message.messageID === messageID);
  const old = known.messages[at];
  if (!fresh) {
    return old ? { ...known, messages: known.messages.filter((message) => message !== old) } : known;
  }
  if (old) return sameMessage(old, fresh) ? known : { ...known, messages: known.messages.with(at, fresh) };
  const isNewest = known.messages.every((message) => message.created < fresh.created);
  return isNewest ? { ...known, messages: [...known.messages, fresh] } : undefined;
}

/** Outlines are plain JSON built by one function in one order of members, so their text tells them apart. */
function sameMessage(one: MessageOutline, other: MessageOutline): boolean {
  return (
    one.storedBytes === other.storedBytes &&
    one.parts.length === other.parts.length &&
    JSON.stringify(one) === JSON.stringify(other)
  );
}
