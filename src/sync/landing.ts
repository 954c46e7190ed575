import type { Reading } from "./freshness.ts";
import { invalidated, landed } from "./freshness.ts";
import { type HeldOutline, mergeOutline, type SessionRecord, totalsOf, withMessage } from "./record.ts";
import type { SessionAnswers } from "./session-reading.ts";

export interface LandingContext {
  readonly at: number;
  readonly took: number;
}

/**
 * The record after a reading of it got its answers. What was invalidated since the reading started is dropped;
 * the rest is taken over, and whatever did not change keeps its identity.
 */
export function withAnswers(
  record: SessionRecord,
  reading: Reading,
  answers: SessionAnswers,
  { at, took }: LandingContext,
): SessionRecord {
  if (record.freshness.reading !== reading) return record;
  const [freshness, verdict] = landed(record.freshness, reading);
  const { problem: _, ...rest } = record;
  let next: SessionRecord = { ...rest, freshness, failures: 0, readAt: at, readTook: took };
  if (verdict.summary && answers.listing) {
    next = { ...next, listing: answers.listing, listingVerified: true };
  }
  if (verdict.outline && answers.outline) {
    const { fingerprint: known, ...before } = next;
    const outline = mergeOutline(record.outline, answers.outline, verdict.withheld);
    // With a message withheld, what is known is not the state that the fingerprint stands for.
    const fingerprint = verdict.withheld.size === 0 ? answers.outline.fingerprint : known;
    next = {
      ...before,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      outline,
      totals: outline === record.outline && record.totals ? record.totals : totalsOf(outline),
      contentVerified: true,
    };
  }
  let { outline } = next;
  for (const messageID of verdict.messages) {
    if (!outline || !answers.messages.has(messageID)) continue;
    const merged = withMessage(outline, messageID, answers.messages.get(messageID)?.outline);
    if (merged) outline = merged;
    else next = { ...next, freshness: invalidated(next.freshness, { outline: true }) };
  }
  return withOutline(next, outline);
}

/** The record with some of its messages read anew. Its fingerprint no longer stands for what is known then. */
export function withOutline(record: SessionRecord, outline: HeldOutline | undefined): SessionRecord {
  if (!outline || outline === record.outline) return record;
  const { fingerprint: _, ...rest } = record;
  return { ...rest, outline, totals: totalsOf(outline) };
}
