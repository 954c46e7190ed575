import { isListingStale, type SessionRecord } from "./record.ts";
import type { Records } from "./records.ts";
import type { SessionReader } from "./session-reader.ts";
import type { HistorySource, SessionListing } from "./source.ts";

export interface ReconcileOptions {
  readonly source: HistorySource;
  readonly records: Records;
  readonly reader: SessionReader;
}

export interface Reconciliation {
  /** Sessions that the daemon has. */
  readonly sessions: number;
  /** Sessions that were known and had to be read again. */
  readonly reread: number;
}

/** Failed reads after which a reconcile no longer waits for a session; its problem is shown, and it is tried on. */
const PATIENCE = 3;

/**
 * Finds out what happened while nobody listened: lists the sessions, compares fingerprints, reads again what
 * differs, forgets what was deleted. Nothing is assumed about events that were missed. The stream must stand
 * before it starts, and it ends early when the stream is lost.
 */
export class Reconcile {
  readonly #options: ReconcileOptions;
  readonly #stream: AbortSignal;
  readonly #awaited = new Set<string>();
  readonly #gone = new Set<string>();
  #reread = 0;
  #finish: (() => void) | undefined;

  constructor(options: ReconcileOptions, stream: AbortSignal) {
    this.#options = options;
    this.#stream = stream;
  }

  async run(): Promise<Reconciliation> {
    const { records } = this.#options;
    const [listings, early] = await Promise.all([this.#list(), this.#earlyFingerprints()]);
    records.setListed();
    const [fingerprints] = await Promise.all([
      early ?? this.#fingerprints(listings),
      this.#applyUsage(listings),
    ]);
    this.#stream.throwIfAborted();
    for (const { sessionID } of listings) this.#compare(sessionID, fingerprints.get(sessionID));
    for (const sessionID of [...this.#awaited]) this.settled(sessionID);
    await this.#allRead();
    return { sessions: listings.length, reread: this.#reread };
  }

  /** A session was read, or turned out to be gone. */
  settled(sessionID: string): void {
    if (!this.#awaited.has(sessionID)) return;
    const record = this.#options.records.get(sessionID);
    const isOpen = record !== undefined && !record.contentVerified && record.failures < PATIENCE;
    if (isOpen) return;
    this.#awaited.delete(sessionID);
    if (this.#awaited.size === 0) this.#finish?.();
  }

  /** The daemon said that it does not have the session; an older page of the list does not bring it back. */
  gone(sessionID: string): void {
    this.#gone.add(sessionID);
    this.settled(sessionID);
  }

  /** The session exists again. */
  returned(sessionID: string): void {
    this.#gone.delete(sessionID);
  }

  /** Takes over the list, but for what was read on its own since the stream stands: that is newer. */
  async #list(): Promise<readonly SessionListing[]> {
    const { records, reader, source } = this.#options;
    const listed = new Map<string, SessionListing>();
    for await (const page of source.sessions(this.#stream)) {
      this.#stream.throwIfAborted();
      for (const listing of page) {
        const { sessionID } = listing;
        if (this.#gone.has(sessionID)) continue;
        listed.set(sessionID, listing);
        records.update(sessionID, (record) =>
          record.listingVerified || isListingStale(record) ? record : withListing(record, listing),
        );
      }
    }
    this.#stream.throwIfAborted();
    for (const { sessionID, listingVerified } of [...records.all()]) {
      if (listed.has(sessionID) || listingVerified) continue;
      // Most likely deleted; but a list that was read page by page proves nothing.
      this.#awaited.add(sessionID);
      reader.invalidate(sessionID, { summary: true, outline: true }, "now");
    }
    return [...listed.values()];
  }

  /**
   * Asks for the fingerprints of what is known while the list is still read, where they do not come from the
   * list; undefined where they do.
   */
  async #earlyFingerprints(): Promise<ReadonlyMap<string, string> | undefined> {
    const { records, source } = this.#options;
    if (source.fingerprintKind !== "exact") return undefined;
    const listings = [...records.all()].flatMap(({ listing }) => listing ?? []);
    const fingerprints = await this.#fingerprints(listings);
    // The source may have had to fall back meanwhile.
    return source.fingerprintKind === "exact" ? fingerprints : undefined;
  }

  async #fingerprints(listings: readonly SessionListing[]): Promise<ReadonlyMap<string, string>> {
    const { records, source } = this.#options;
    const known = listings.filter(({ sessionID }) => records.get(sessionID)?.fingerprint !== undefined);
    return known.length === 0 ? new Map() : await source.fingerprints(known, this.#stream);
  }

  /** Totals for the sessions that were never read, until they are. */
  async #applyUsage(listings: readonly SessionListing[]): Promise<void> {
    const { records, source } = this.#options;
    if (listings.every(({ sessionID }) => records.get(sessionID)?.totals !== undefined)) return;
    const usage = await source.usage(this.#stream);
    this.#stream.throwIfAborted();
    for (const [sessionID, totals] of usage ?? []) {
      if (records.get(sessionID) === undefined) continue;
      records.update(sessionID, (record) => (record.totals ? record : { ...record, totals }));
    }
  }

  #compare(sessionID: string, fingerprint: string | undefined): void {
    const { records, reader, source } = this.#options;
    const record = records.get(sessionID);
    if (!record) return;
    const isKnown = record.totals?.technical !== undefined;
    const isSame = record.fingerprint !== undefined && record.fingerprint === fingerprint;
    if (record.contentVerified || (isKnown && isSame && source.fingerprintKind === "exact")) {
      if (!record.contentVerified) {
        records.update(sessionID, (unchanged) => ({ ...unchanged, contentVerified: true }));
      }
      reader.resume(sessionID);
      return;
    }
    const isWatched = reader.queue.isWatched(sessionID);
    if (isKnown && (isWatched || !isSame)) this.#reread += 1;
    if (isWatched || (isKnown && !isSame)) this.#awaited.add(sessionID);
    reader.invalidate(sessionID, { outline: true }, "now");
  }

  #allRead(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#awaited.size === 0) return resolve();
      this.#finish = resolve;
      this.#stream.addEventListener("abort", () => reject(this.#stream.reason), { once: true });
    });
  }
}

function withListing(record: SessionRecord, listing: SessionListing): SessionRecord {
  const { listing: known } = record;
  const same = known !== undefined && JSON.stringify(known) === JSON.stringify(listing);
  return { ...record, listing: same ? known : listing, listingVerified: true };
}
