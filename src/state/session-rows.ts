import { SESSION_SORTS, type SessionSort, type SessionSummary } from "./ports.ts";

/** The sessions that the filter lets through, in the order of the sort. Sessions of unknown size come last. */
export function sessionRows(
  sessions: Iterable<SessionSummary>,
  sort: SessionSort,
  filter: string,
): readonly SessionSummary[] {
  const words = filterWords(filter);
  const rows: SessionSummary[] = [];
  for (const session of sessions) {
    if (words.length === 0 || matches(haystackOf(session), words)) rows.push(session);
  }
  return rows.sort(ORDERS[sort]);
}

export function nextSessionSort(sort: SessionSort): SessionSort {
  return SESSION_SORTS[(SESSION_SORTS.indexOf(sort) + 1) % SESSION_SORTS.length] ?? "technical";
}

/** The technical share of a session, 0 to 1, as far as both sizes are known. */
export function technicalShare(session: SessionSummary): number | undefined {
  if (session.technical === undefined || session.storedBytes === undefined) return undefined;
  if (session.storedBytes === 0) return 0;
  return Math.min(1, session.technical.bytes / session.storedBytes);
}

/** A filter's words; a row must have all of them. */
export function filterWords(filter: string): readonly string[] {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

export function matches(haystack: string, words: readonly string[]): boolean {
  return words.every((word) => haystack.includes(word));
}

const haystacks = new WeakMap<SessionSummary, string>();

function haystackOf(session: SessionSummary): string {
  let haystack = haystacks.get(session);
  if (haystack === undefined) {
    haystack =
      `${session.title}\n${session.directory}\n${session.sessionID}\n${session.activity}`.toLowerCase();
    haystacks.set(session, haystack);
  }
  return haystack;
}

type Order = (one: SessionSummary, other: SessionSummary) => number;

const ORDERS: Readonly<Record<SessionSort, Order>> = {
  technical: descending((session) => session.technical?.bytes),
  share: descending(technicalShare),
  parts: descending((session) => session.technical?.parts),
  messages: descending((session) => session.messages),
  updated: descending((session) => session.updated),
  title: ascending((session) => session.title),
  location: ascending((session) => session.directory),
};

function descending(measure: (session: SessionSummary) => number | undefined): Order {
  return (one, other) => (measure(other) ?? -1) - (measure(one) ?? -1) || byID(one, other);
}

function ascending(measure: (session: SessionSummary) => string): Order {
  return (one, other) => compare(measure(one), measure(other)) || byID(one, other);
}

function byID(one: SessionSummary, other: SessionSummary): number {
  return compare(one.sessionID, other.sessionID);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
