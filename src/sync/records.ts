import type {
  CacheState,
  ConnectionState,
  HistorySnapshot,
  ReadsThrough,
  SessionOutline,
  SessionSummary,
} from "../state/ports.ts";
import type { Clock } from "./clock.ts";
import {
  type HeldOutline,
  isRefreshing,
  newRecord,
  outlineOf,
  outlineWeight,
  type SessionRecord,
  summaryOf,
} from "./record.ts";

/** At most one change notification in so many milliseconds: a frame at 30 a second. */
const FRAME = 33;

export interface RecordsOptions {
  readonly server: string;
  readonly clock: Clock;
  /** How many messages and technical parts may be held as outlines that nobody looks at. */
  readonly outlineBudget: number;
  /** A record changed, or was made. */
  readonly onUpdated?: (record: SessionRecord) => void;
  readonly isWatched: (sessionID: string) => boolean;
}

/**
 * The records of all sessions, and the snapshot made of them. A snapshot shares everything with the one before
 * that did not change: what a change costs does not depend on how many sessions exist, but for the copy of a map.
 */
export class Records {
  readonly #options: RecordsOptions;
  readonly #records = new Map<string, SessionRecord>();
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<string>();
  /** Sessions whose outline is held, least recently touched first. */
  readonly #held = new Map<string, number>();
  #heldWeight = 0;
  #snapshot: HistorySnapshot;
  #next:
    | { connection?: ConnectionState; listed?: boolean; cache?: CacheState; reads?: ReadsThrough }
    | undefined;
  #notified = 0;
  #cancelNotification: (() => void) | undefined;

  constructor(options: RecordsOptions, connection: ConnectionState) {
    this.#options = options;
    this.#snapshot = {
      server: options.server,
      connection,
      listed: false,
      sessions: new Map(),
      outlines: new Map(),
    };
  }

  get(sessionID: string): SessionRecord | undefined {
    return this.#records.get(sessionID);
  }

  all(): IterableIterator<SessionRecord> {
    return this.#records.values();
  }

  /** Takes a record that nothing was known of; false when something is. */
  add(record: SessionRecord): boolean {
    if (this.#records.has(record.sessionID)) return false;
    this.#records.set(record.sessionID, record);
    this.#changed.add(record.sessionID);
    this.#changedSomething();
    return true;
  }

  /** The record after a change. It is made when there is none. */
  update(sessionID: string, change: (record: SessionRecord) => SessionRecord): SessionRecord {
    const before = this.#records.get(sessionID) ?? newRecord(sessionID);
    const after = change(before);
    if (after === before && this.#records.has(sessionID)) return after;
    this.#records.set(sessionID, after);
    this.#changed.add(sessionID);
    if (after.outline !== before.outline) this.#hold(sessionID, after.outline);
    this.#changedSomething();
    this.#options.onUpdated?.(after);
    return after;
  }

  remove(sessionID: string): void {
    if (!this.#records.delete(sessionID)) return;
    this.#hold(sessionID, undefined);
    this.#changed.add(sessionID);
    this.#changedSomething();
  }

  setConnection(connection: ConnectionState): void {
    this.#next = { ...this.#next, connection };
    this.#changedSomething();
  }

  setCache(cache: CacheState): void {
    const { cache: shown } = { ...this.#snapshot, ...this.#next };
    if (shown?.state === cache.state && shown.problem === cache.problem) return;
    this.#next = { ...this.#next, cache };
    this.#changedSomething();
  }

  setReads(reads: ReadsThrough | undefined): void {
    const { reads: shown } = { ...this.#snapshot, ...this.#next };
    if (reads === undefined || shown === reads) return;
    this.#next = { ...this.#next, reads };
    this.#changedSomething();
  }

  setListed(): void {
    if (this.#snapshot.listed) return;
    this.#next = { ...this.#next, listed: true };
    this.#changedSomething();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#cancelNotification?.();
    this.#cancelNotification = undefined;
  }

  snapshot(): HistorySnapshot {
    if (this.#changed.size === 0 && !this.#next) return this.#snapshot;
    const sessions = new Map<string, SessionSummary>(this.#snapshot.sessions);
    const outlines = new Map<string, SessionOutline>(this.#snapshot.outlines);
    for (const sessionID of this.#changed) {
      const record = this.#records.get(sessionID);
      if (record?.listing) sessions.set(sessionID, summaryOf({ ...record, listing: record.listing }));
      else sessions.delete(sessionID);
      if (record?.outline) outlines.set(sessionID, outlineOf({ ...record, outline: record.outline }));
      else outlines.delete(sessionID);
    }
    this.#changed.clear();
    this.#snapshot = { ...this.#snapshot, ...this.#next, sessions, outlines };
    this.#next = undefined;
    return this.#snapshot;
  }

  /**
   * Lets go of outlines over the budget, the least recently touched first; none that somebody looks at, and none
   * that a read of single messages will have to be put into.
   */
  trim(): void {
    for (const sessionID of this.#held.keys()) {
      if (this.#heldWeight <= this.#options.outlineBudget) return;
      const record = this.#records.get(sessionID);
      if (!record || isRefreshing(record) || this.#options.isWatched(sessionID)) continue;
      this.update(sessionID, ({ outline: _, ...rest }) => rest);
    }
  }

  #hold(sessionID: string, outline: HeldOutline | undefined): void {
    this.#heldWeight -= this.#held.get(sessionID) ?? 0;
    this.#held.delete(sessionID);
    if (!outline) return;
    const weight = outlineWeight(outline);
    this.#held.set(sessionID, weight);
    this.#heldWeight += weight;
  }

  #changedSomething(): void {
    if (this.#cancelNotification) return;
    const { clock } = this.#options;
    const wait = Math.max(0, this.#notified + FRAME - clock.now());
    this.#cancelNotification = clock.after(wait, () => {
      this.#cancelNotification = undefined;
      this.#notified = clock.now();
      for (const listener of [...this.#listeners]) listener();
    });
  }
}
