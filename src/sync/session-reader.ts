import { backoffDelay, READ_BACKOFF } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { abandoned, begun, type Invalidation, invalidated, needsNothing, type Reading } from "./freshness.ts";
import { withAnswers } from "./landing.ts";
import { ReadQueue } from "./read-queue.ts";
import type { SessionRecord } from "./record.ts";
import type { Records } from "./records.ts";
import { readSession } from "./session-reading.ts";
import type { HistorySource } from "./source.ts";

/** How soon an invalidation is read. */
export type Urgency =
  /** At once: somebody waits for it. */
  | "now"
  /** After the burst that it belongs to. */
  | "settled";

export interface SessionReaderOptions {
  readonly source: HistorySource;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly records: Records;
  /** This was invalidated, or read whole: no copy of it from before may be given out as current. */
  readonly onInvalidated: (sessionID: string, what: Invalidation) => void;
  /** A reading of this session ended, well or not. */
  readonly onRead: (sessionID: string) => void;
  /** The daemon does not have this session. */
  readonly onGone: (sessionID: string) => void;
}

/** Sessions read at the same time, and how many of them may be ones that nobody looks at. */
const SLOTS = 4;
const BACKGROUND_SLOTS = 2;
/** Milliseconds in which a burst of events for a session becomes one read: on the screen, and elsewhere. */
const BURST = 150;
const BACKGROUND_BURST = 2_000;
/** A session that changes all the time spends at most one part in so many being read whole. */
const REST = 4;
/** More single messages than this are read as one outline. */
const MESSAGES_AS_OUTLINE = 64;

/** Reads sessions when they need it: one reading at a time a session, and at most one follow-up. */
export class SessionReader {
  readonly #options: SessionReaderOptions;
  readonly queue: ReadQueue;
  #stream: AbortSignal | undefined;

  constructor(options: SessionReaderOptions) {
    this.#options = options;
    this.queue = new ReadQueue({
      clock: options.clock,
      slots: SLOTS,
      backgroundSlots: BACKGROUND_SLOTS,
      read: (sessionID) => this.#read(sessionID),
    });
  }

  /** Reads may start. The signal aborts when the stream under them is lost. */
  open(stream: AbortSignal): void {
    this.#stream = stream;
    this.queue.setOpen(true);
  }

  /** The stream is lost: what is being read is not current any more, whatever it answers. */
  close(): void {
    this.queue.setOpen(false);
    this.#stream = undefined;
    for (const { sessionID, freshness } of [...this.#options.records.all()]) {
      const { reading } = freshness;
      this.#options.records.update(sessionID, (record) => ({
        ...record,
        listingVerified: false,
        contentVerified: false,
        freshness: reading ? abandoned(record.freshness, reading) : record.freshness,
      }));
    }
  }

  invalidate(sessionID: string, what: Invalidation, urgency: Urgency): void {
    const { records } = this.#options;
    const record = records.update(sessionID, (before) => {
      // A message of an outline that is not at hand cannot be put in its place.
      const lost = what.messageID !== undefined && before.totals !== undefined && !before.outline;
      const unread =
        before.totals?.technical === undefined &&
        before.freshness.need.outline === undefined &&
        before.freshness.reading?.need.outline === undefined;
      const many = before.freshness.need.messages.size >= MESSAGES_AS_OUTLINE;
      const outline = what.outline || unread || (what.messageID !== undefined && (lost || many));
      return { ...before, freshness: invalidated(before.freshness, { ...what, outline }) };
    });
    this.#options.onInvalidated(sessionID, what);
    this.#enqueue(sessionID, urgency === "now" ? 0 : this.#burstOf(record));
  }

  /** Queues what a session still needs. */
  resume(sessionID: string): void {
    const record = this.#options.records.get(sessionID);
    if (!record || record.freshness.reading || needsNothing(record.freshness.need)) return;
    const failed = record.failures;
    this.#enqueue(sessionID, failed ? backoffDelay(READ_BACKOFF, failed, this.#options.chance()) : 0);
  }

  #burstOf({ sessionID, listing, freshness, readAt, readTook }: SessionRecord): number {
    const isListingOnly = listing === undefined || freshness.need.outline === undefined;
    const burst = isListingOnly || this.queue.isWatched(sessionID) ? BURST : BACKGROUND_BURST;
    if (isListingOnly || readAt === undefined || readTook === undefined) return burst;
    return Math.max(burst, readAt + REST * readTook - this.#options.clock.now());
  }

  #enqueue(sessionID: string, delay: number): void {
    // While one is being read, its end queues the follow-up.
    if (this.#options.records.get(sessionID)?.freshness.reading) return;
    this.queue.add(sessionID, delay);
  }

  async #read(sessionID: string): Promise<void> {
    const { records, source, clock, onGone, onRead } = this.#options;
    const stream = this.#stream;
    const before = records.get(sessionID);
    if (!stream || !before || needsNothing(before.freshness.need)) return;
    const { reading } = records.update(sessionID, (record) => ({
      ...record,
      freshness: begun(record.freshness),
    })).freshness;
    if (!reading) return;
    const startedAt = clock.now();
    const isOurs = () => !stream.aborted && records.get(sessionID)?.freshness.reading === reading;
    try {
      const answers = await readSession(source, sessionID, reading.need, stream);
      if (!isOurs()) return;
      const at = clock.now();
      if (answers) {
        records.update(sessionID, (record) =>
          withAnswers(record, reading, answers, { at, took: at - startedAt }),
        );
        // Its fingerprint may stand for a change that no event has told yet, and that older copies lack.
        if (answers.outline) this.#options.onInvalidated(sessionID, { outline: true });
      } else if (records.get(sessionID)?.freshness.generation === reading.generation) {
        onGone(sessionID);
      } else {
        // Something happened to it since: whether it is gone has to be asked again.
        this.#abandon(sessionID, reading);
      }
    } catch (error) {
      if (!isOurs()) return;
      const problem = error instanceof Error ? error.message : String(error);
      this.#abandon(sessionID, reading);
      records.update(sessionID, (record) => ({ ...record, failures: record.failures + 1, problem }));
    } finally {
      if (!stream.aborted) {
        this.#followUp(sessionID);
        onRead(sessionID);
        records.trim();
      }
    }
  }

  #abandon(sessionID: string, reading: Reading): void {
    this.#options.records.update(sessionID, (record) => ({
      ...record,
      freshness: abandoned(record.freshness, reading),
    }));
  }

  #followUp(sessionID: string): void {
    const record = this.#options.records.get(sessionID);
    if (!record || needsNothing(record.freshness.need)) return;
    if (record.failures > 0) this.resume(sessionID);
    else this.#enqueue(sessionID, record.freshness.need.messages.size > 0 ? 0 : this.#burstOf(record));
  }
}
