import type { MessageCache, SessionToKeep } from "../cache/index.ts";
import type { Clock } from "./clock.ts";
import { isContentStale, isListingStale, type SessionRecord } from "./record.ts";

/** What sync asks of the message cache. */
export type HistoryCache = Pick<MessageCache, "sessions" | "outline" | "keep" | "forget">;

/** Milliseconds after a change until it is written. */
const DELAY = 250;
/** Milliseconds of writing after which the screen gets its turn. */
const SLICE = 8;
/** Messages written in one transaction, and one session at least. */
const MESSAGES_AT_ONCE = 500;

/** What is known of a session as the cache has it; compared by identity. */
type Kept = Pick<SessionRecord, "listing" | "totals" | "fingerprint">;

/**
 * Writes what was confirmed to the message cache, soon and in slices. What is not confirmed is never written, and
 * what the cache has already is not written again.
 */
export class CacheWriter {
  readonly #cache: HistoryCache;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #waiting = new Map<string, SessionRecord>();
  readonly #gone = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(cache: HistoryCache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  /** This is how the cache has the session. */
  loaded(record: SessionRecord): void {
    this.#kept.set(record.sessionID, keptOf(record));
  }

  /** A record changed. */
  changed(updated: SessionRecord): void {
    const { sessionID } = updated;
    // An outline that is let go of before it was written is still the one to write.
    const waiting = this.#waiting.get(sessionID);
    const record =
      updated.outline || !waiting?.outline || waiting.totals !== updated.totals
        ? updated
        : { ...updated, outline: waiting.outline };
    if (!record.listing || !record.listingVerified || isListingStale(record)) return;
    this.#gone.delete(sessionID);
    const kept = this.#kept.get(sessionID);
    const isContentNew =
      canKeepContent(record) && (kept?.totals !== record.totals || kept?.fingerprint !== record.fingerprint);
    if (!isContentNew && kept?.listing === record.listing) return;
    this.#waiting.set(sessionID, record);
    this.#schedule(DELAY);
  }

  gone(sessionID: string): void {
    this.#waiting.delete(sessionID);
    this.#kept.delete(sessionID);
    this.#gone.add(sessionID);
    this.#schedule(DELAY);
  }

  /** Writes everything that waits, however long it takes. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#writeSome() === "written");
  }

  #schedule(delay: number): void {
    this.#cancel ??= this.#clock.after(delay, () => {
      this.#cancel = undefined;
      const end = performance.now() + SLICE;
      let outcome = this.#writeSome();
      while (outcome === "written" && performance.now() < end) outcome = this.#writeSome();
      if (outcome === "written" || outcome === "busy") this.#schedule(outcome === "busy" ? DELAY : SLICE);
    });
  }

  #writeSome(): "written" | "busy" | "nothing" {
    if (this.#gone.size > 0) {
      const written = this.#cache.forget([...this.#gone]);
      if (written === "busy") return written;
      this.#gone.clear();
      return "written";
    }
    const batch = this.#nextBatch();
    if (batch.length === 0) return "nothing";
    if (this.#cache.keep(batch.map(toKeep)) === "busy") return "busy";
    for (const record of batch) {
      this.#waiting.delete(record.sessionID);
      const before = this.#kept.get(record.sessionID);
      this.#kept.set(
        record.sessionID,
        keptOf(canKeepContent(record) ? record : { ...before, ...listingOf(record) }),
      );
    }
    return "written";
  }

  #nextBatch(): readonly SessionRecord[] {
    const batch: SessionRecord[] = [];
    let messages = 0;
    for (const record of this.#waiting.values()) {
      messages += 1 + (record.outline?.messages.length ?? 0);
      if (batch.length > 0 && messages > MESSAGES_AT_ONCE) break;
      batch.push(record);
    }
    return batch;
  }
}

function listingOf({ listing }: SessionRecord): Kept {
  return listing === undefined ? {} : { listing };
}

function keptOf({ listing, totals, fingerprint }: Kept): Kept {
  return {
    ...(listing === undefined ? {} : { listing }),
    ...(totals === undefined ? {} : { totals }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

function canKeepContent(record: SessionRecord): boolean {
  return record.contentVerified && !isContentStale(record) && record.outline !== undefined;
}

function toKeep(record: SessionRecord): SessionToKeep {
  const { listing, totals, outline, fingerprint } = record;
  if (!listing) throw new Error(`Session ${record.sessionID} has no listing to keep.`);
  const technical = totals?.technical;
  if (!canKeepContent(record) || !outline || !technical) return { listing };
  return {
    listing,
    content: {
      totals: { ...totals, technical, ...(fingerprint === undefined ? {} : { fingerprint }) },
      outline,
    },
  };
}
