import type { HistoryPort, MessageContent, MessageReference } from "../state/ports.ts";
import { CacheLoader } from "./cache-loader.ts";
import { CacheWriter, cacheStatus, type HistoryCache } from "./cache-writer.ts";
import { type Clock, systemClock } from "./clock.ts";
import { CONNECTING, connectionShown } from "./connection.ts";
import { ContentCache, type ContentLimits } from "./content-cache.ts";
import { effectOf } from "./event-effect.ts";
import { withOutline } from "./landing.ts";
import { Notices } from "./notices.ts";
import { Reconcile } from "./reconcile.ts";
import { areEqualTotals, type SessionRecord, totalsOf, withMessage } from "./record.ts";
import { Records } from "./records.ts";
import { SessionReader } from "./session-reader.ts";
import type { EventSource, HistoryEvent, HistorySource } from "./source.ts";
import { Stream } from "./stream.ts";

export interface HistoryOptions {
  readonly source: HistorySource;
  readonly events: EventSource;
  readonly clock?: Clock;
  /** From 0 up to 1; what makes waits differ between clients. */
  readonly chance?: () => number;
  /** Milliseconds without a byte, heartbeats included, after which the event stream counts as lost. */
  readonly silence?: number;
  /** Messages and technical parts held as outlines that nobody looks at. */
  readonly outlineBudget?: number;
  readonly contents?: ContentLimits;
  /** What is known from earlier runs, and where what is learned now goes. */
  readonly cache?: HistoryCache;
}

/** The history of one daemon, kept true. */
export interface History extends HistoryPort {
  start(): void;
  /** Ends every read and the stream. It cannot be started again. */
  stop(): void;
  /** A prune of ours was answered: the message is read again, whether or not an event tells of it. */
  pruned(reference: MessageReference): void;
}

/** A daemon sends a heartbeat every 15 s; this is past three of them. */
const SILENCE = 50_000;
const OUTLINE_BUDGET = 300_000;
const CONTENTS: ContentLimits = { count: 256, bytes: 64 * 1024 * 1024 };
/** A message that changes under every read is given as it was read last. */
const CONTENT_READS = 5;

export function createHistory(options: HistoryOptions): History {
  const { source, events, clock = systemClock, chance = Math.random } = options;
  const contents = new ContentCache(options.contents ?? CONTENTS);
  const { cache } = options;
  const writer = cache && new CacheWriter(cache, clock, (status) => records.setCache(status));
  const notices = new Notices(clock);
  const stopped = new AbortController();
  let shown: readonly string[] = [];
  const followed = new Map<string, number>();
  let reconcile: Reconcile | undefined;
  let wasLive = false;
  /** A loss is told once, however many attempts to come back fail. */
  let lossTold = false;

  const records = new Records(
    {
      server: source.server,
      clock,
      outlineBudget: options.outlineBudget ?? OUTLINE_BUDGET,
      onUpdated: (record) => writer?.changed(record),
      isWatched: (sessionID) => reader.queue.isWatched(sessionID),
    },
    connectionShown(CONNECTING),
  );

  const reader: SessionReader = new SessionReader({
    source,
    clock,
    chance,
    records,
    onInvalidated: (sessionID, { outline, messageID }) => {
      if (outline) contents.dropSession(sessionID);
      else if (messageID !== undefined) contents.drop({ sessionID, messageID });
    },
    onRead: (sessionID) => {
      records.setReads(source.answeredBy);
      reconcile?.settled(sessionID);
    },
    onGone: (sessionID) => {
      reader.queue.remove(sessionID);
      contents.dropSession(sessionID);
      records.remove(sessionID);
      writer?.gone(sessionID);
      reconcile?.gone(sessionID);
    },
  });

  const stream = new Stream({
    events,
    clock,
    chance,
    silence: options.silence ?? SILENCE,
    onState: (state) => records.setConnection(connectionShown(state)),
    onOpened: (signal) => {
      loader?.finish();
      reader.open(signal);
      void runReconcile(signal);
    },
    onEvent,
    onLost: (problem) => {
      reconcile = undefined;
      reader.close();
      if (!lossTold) notices.tell({ at: clock.now(), kind: "lost", problem });
      lossTold = true;
    },
  });

  async function runReconcile(signal: AbortSignal): Promise<void> {
    reconcile = new Reconcile({ source, records, reader }, signal);
    try {
      const { sessions, reread } = await reconcile.run();
      if (signal.aborted) return;
      reconcile = undefined;
      records.setReads(source.answeredBy);
      stream.reconciled();
      notices.tell(
        wasLive
          ? { at: clock.now(), kind: "reconciled", sessions, reread }
          : { at: clock.now(), kind: "connected" },
      );
      wasLive = true;
      lossTold = false;
    } catch (error) {
      if (!signal.aborted) stream.lose(error instanceof Error ? error.message : String(error));
    }
  }

  function onEvent(event: HistoryEvent): void {
    const effect = effectOf(event);
    if (!effect) return;
    const { sessionID, messageID } = effect;
    reconcile?.returned(sessionID);
    if (effect.kind === "pruned") {
      invalidateMessage({ sessionID, messageID: effect.messageID });
      notices.prunedByEvent(effect);
      return;
    }
    const { outline } = effect;
    reader.invalidate(
      sessionID,
      { summary: true, outline, ...(messageID === undefined ? {} : { messageID }) },
      "settled",
    );
  }

  function invalidateMessage({ sessionID, messageID }: MessageReference): void {
    reader.invalidate(sessionID, { messageID }, "now");
  }

  /** Shows what the cache has of a session's messages until they are read; their labels are not in it. */
  function showCached(sessionID: string): void {
    const totals = records.get(sessionID)?.totals;
    const outline = totals && cache?.outline(sessionID);
    // What was learned since may not be written yet.
    if (!outline || !areEqualTotals(totalsOf(outline), totals)) return;
    records.update(sessionID, (record) => ({ ...record, outline }));
  }

  function watch(): void {
    reader.queue.watch([...new Set([...followed.keys(), ...shown])]);
  }

  async function readContent(reference: MessageReference, signal: AbortSignal): Promise<MessageContent> {
    const { sessionID, messageID } = reference;
    for (let reads = 1; ; reads += 1) {
      const before = records.get(sessionID);
      const isStill = (record: SessionRecord | undefined) =>
        record?.freshness.generation === before?.freshness.generation && record?.readAt === before?.readAt;
      const reading = await source.message(reference, signal);
      if (!reading) {
        if (records.get(sessionID)) invalidateMessage(reference);
        throw new Error(
          `Message ${messageID} is not in session ${sessionID} any more; go back and choose another.`,
        );
      }
      const record = records.get(sessionID);
      if (record === undefined || isStill(record) || reads === CONTENT_READS) {
        if (record && isStill(record) && !isNeeded(record, messageID)) {
          contents.set(reading.content);
          records.update(sessionID, (known) =>
            known.outline && reading.outline
              ? withOutline(known, withMessage(known.outline, messageID, reading.outline))
              : known,
          );
        }
        return reading.content;
      }
    }
  }

  const loader = cache && writer && new CacheLoader({ cache, clock, records, writer });
  if (cache) records.setCache(cacheStatus(cache));

  return {
    snapshot: () => records.snapshot(),
    onChange: (listener) => records.onChange(listener),
    onNotice: (listener) => notices.onNotice(listener),
    show(sessionIDs) {
      shown = [...sessionIDs];
      watch();
    },
    follow(sessionID) {
      followed.set(sessionID, (followed.get(sessionID) ?? 0) + 1);
      watch();
      const record = records.get(sessionID);
      if (!record?.outline) {
        // First, so that what the cache has is never taken for confirmed.
        reader.invalidate(sessionID, { outline: true }, "now");
        showCached(sessionID);
      }
      let following = true;
      return () => {
        if (!following) return;
        following = false;
        const others = (followed.get(sessionID) ?? 1) - 1;
        if (others > 0) followed.set(sessionID, others);
        else followed.delete(sessionID);
        watch();
      };
    },
    refresh() {
      for (const sessionID of new Set([...followed.keys(), ...shown])) {
        reader.invalidate(sessionID, { summary: true, outline: true }, "now");
      }
      stream.retryNow();
    },
    async message(reference, signal) {
      const record = records.get(reference.sessionID);
      const isCurrent = record?.contentVerified === true && !isNeeded(record, reference.messageID);
      const held = isCurrent ? contents.get(reference) : undefined;
      if (held) return held;
      return readContent(reference, signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal);
    },
    pruned(reference) {
      invalidateMessage(reference);
      notices.prunedByUs(reference);
    },
    start: () => stream.start(),
    stop() {
      stopped.abort(new Error("The app is closing."));
      stream.stop();
      reader.queue.setOpen(false);
      reader.queue.clear();
      loader?.stop();
      writer?.flush();
      notices.stop();
      records.stop();
      contents.clear();
    },
  };
}

/** This message was invalidated and is not read again yet. */
function isNeeded({ freshness: { need, reading } }: SessionRecord, messageID: string): boolean {
  return [need, reading?.need].some(
    (one) => one !== undefined && (one.outline !== undefined || one.messages.has(messageID)),
  );
}
