import type { MessageCache, SessionToKeep } from "../cache/index.ts";
import type { CacheState } from "../state/ports.ts";
import type { Clock } from "./clock.ts";
import {
  type HeldOutline,
  isContentStale,
  isListingStale,
  type SessionRecord,
  type SessionTotals,
} from "./record.ts";
import type { SessionListing } from "./source.ts";

/** What sync asks of the message cache. */
export type HistoryCache = Pick<
  MessageCache,
  "sessions" | "outline" | "keep" | "forget" | "state" | "problems"
>;

/** Where the cache stands, for the screen. */
export function cacheStatus({ state, problems }: HistoryCache): CacheState {
  if (state.state !== "disk") return { state: "off", problem: state.problem };
  const problem = problems.at(-1);
  return problem === undefined ? { state: "kept" } : { state: "set_aside", problem };
}

/** Milliseconds after a change until it is written. */
const DELAY = 250;
/** Milliseconds of writing after which the screen gets its turn. */
const SLICE = 8;
/** Messages written in one transaction, and one session at least. */
const MESSAGES_AT_ONCE = 500;

/** What the cache has of a session; compared by identity. */
interface Kept {
  readonly listing?: SessionListing | undefined;
  readonly totals?: SessionTotals | undefined;
  readonly fingerprint?: string | undefined;
}

interface Content {
  readonly totals: SessionTotals;
  readonly outline: HeldOutline;
  readonly fingerprint: string | undefined;
}

interface Waiting {
  /** Absent while the session was read and not listed yet; it is written when it is. */
  readonly listing: SessionListing | undefined;
  readonly content: Content | undefined;
}

type Ready = Waiting & { readonly listing: SessionListing };

/**
 * Writes what was confirmed to the message cache, soon and in slices. What is not confirmed is never written, and
 * what the cache has already is not written again.
 */
export class CacheWriter {
  readonly #cache: HistoryCache;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #gone = new Set<string>();
  #cancel: (() => void) | undefined;

  readonly #onStatus: (status: CacheState) => void;

  constructor(cache: HistoryCache, clock: Clock, onStatus: (status: CacheState) => void) {
    this.#cache = cache;
    this.#clock = clock;
    this.#onStatus = onStatus;
  }

  /** This is how the cache has the session. */
  loaded({ sessionID, listing, totals, fingerprint }: SessionRecord): void {
    this.#kept.set(sessionID, { listing, totals, fingerprint });
  }

  /** A record changed. */
  changed(record: SessionRecord): void {
    const { sessionID, listing } = record;
    const isListed = listing !== undefined && record.listingVerified && !isListingStale(record);
    const confirmed = confirmedContent(record);
    // A session may be read before it is listed again; its last known listing does until then.
    if (!isListed && !confirmed) return;
    this.#gone.delete(sessionID);
    const kept = this.#kept.get(sessionID);
    const isNew = kept?.totals !== record.totals || kept?.fingerprint !== record.fingerprint;
    // What was confirmed before stays worth writing when it cannot be confirmed now, or is let go of.
    const content = confirmed && isNew ? confirmed : this.#waiting.get(sessionID)?.content;
    if (!content && kept?.listing === listing) return;
    this.#waiting.set(sessionID, { listing, content });
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
      this.#onStatus(cacheStatus(this.#cache));
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
    for (const { listing, content } of batch) {
      const { sessionID } = listing;
      this.#waiting.delete(sessionID);
      const { totals, fingerprint } = content ?? this.#kept.get(sessionID) ?? {};
      this.#kept.set(sessionID, { listing, totals, fingerprint });
    }
    return "written";
  }

  #nextBatch(): readonly Ready[] {
    const batch: Ready[] = [];
    let messages = 0;
    for (const { listing, content } of this.#waiting.values()) {
      if (!listing) continue;
      messages += 1 + (content?.outline.messages.length ?? 0);
      if (batch.length > 0 && messages > MESSAGES_AT_ONCE) break;
      batch.push({ listing, content });
    }
    return batch;
  }
}

function confirmedContent(record: SessionRecord): Content | undefined {
  const { totals, outline, fingerprint } = record;
  if (!record.contentVerified || isContentStale(record) || !outline || !totals?.technical) return undefined;
  return { totals, outline, fingerprint };
}

function toKeep({ listing, content }: Ready): SessionToKeep {
  if (!content?.totals.technical) return { listing };
  const { totals, outline, fingerprint } = content;
  return {
    listing,
    content: {
      totals: {
        messages: totals.messages,
        storedBytes: totals.storedBytes,
        technical: content.totals.technical,
        ...(fingerprint === undefined ? {} : { fingerprint }),
      },
      outline,
    },
  };
}
