import {
  type Clock,
  type EventSource,
  effectOf,
  type HistoryEvent,
  type HistorySource,
  type SessionListing,
  Stream,
  systemClock,
} from "../sync/index.ts";
import type { DocumentBody } from "./documents/index.ts";

type WatchEvent = DocumentBody<"event">;

export interface WatcherOptions {
  readonly source: HistorySource;
  readonly events: EventSource;
  readonly tell: (event: WatchEvent) => void;
  readonly clock?: Clock;
}

export interface Watcher {
  start(): void;
  stop(): void;
}

/** A daemon sends a heartbeat every 15 s; this is past three of them. */
const SILENCE = 50_000;
/** Milliseconds after which what an event changed is read, so that a burst is read once. */
const BURST = 1_000;

interface KnownSession {
  readonly title: string;
  readonly fingerprint: string | undefined;
}

/**
 * Tells of every pruned event at once, and of every gap in which events were missed: when it was, and which
 * sessions are not what they were before it.
 */
export function createWatcher({ source, events, tell, clock = systemClock }: WatcherOptions): Watcher {
  let known = new Map<string, KnownSession>();
  /** Sessions that events named since they were read last. */
  const touched = new Set<string>();
  let cancelRead: (() => void) | undefined;
  let wasLive = false;
  let lostAt: number | undefined;

  const stream: Stream = new Stream({
    events,
    clock,
    chance: Math.random,
    silence: SILENCE,
    onState: () => {},
    onOpened: (signal) => void compare(signal, clock.now()),
    onEvent,
    onLost(problem) {
      cancelRead?.();
      cancelRead = undefined;
      if (lostAt !== undefined) return;
      lostAt = clock.now();
      tell({ event: "lost", at: lostAt, problem });
    },
  });

  function onEvent(event: HistoryEvent): void {
    const effect = effectOf(event);
    if (!effect) return;
    const { sessionID } = effect;
    if (effect.kind === "pruned") {
      const { messageID, revision } = effect;
      const title = known.get(sessionID)?.title ?? "";
      tell({ event: "pruned", at: clock.now(), sessionID, messageID, revision, title });
    }
    touched.add(sessionID);
  }

  async function compare(signal: AbortSignal, backAt: number): Promise<void> {
    try {
      touched.clear();
      const before = known;
      const now = await readAll(signal);
      known = now;
      stream.reconciled();
      const at = clock.now();
      if (wasLive && lostAt !== undefined) {
        tell({
          event: "reconciled",
          at,
          lostAt,
          backAt,
          sessions: now.size,
          changed: [...now.keys()].filter((id) => before.get(id)?.fingerprint !== now.get(id)?.fingerprint),
          deleted: [...before.keys()].filter((id) => !now.has(id)),
          exact: source.fingerprintKind === "exact",
        });
      } else tell({ event: "connected", at, sessions: now.size });
      wasLive = true;
      lostAt = undefined;
      keepCurrent(signal);
    } catch (error) {
      if (!signal.aborted) stream.lose(error instanceof Error ? error.message : String(error));
    }
  }

  async function readAll(signal: AbortSignal): Promise<Map<string, KnownSession>> {
    const listings: SessionListing[] = [];
    for await (const page of source.sessions(signal)) listings.push(...page);
    const fingerprints = await source.fingerprints(listings, signal);
    signal.throwIfAborted();
    return new Map(
      listings.map(({ sessionID, title }) => [
        sessionID,
        { title, fingerprint: fingerprints.get(sessionID) },
      ]),
    );
  }

  /** What was seen to change is no news after the next loss: reads it, until the stream is lost. */
  function keepCurrent(signal: AbortSignal): void {
    cancelRead = clock.after(BURST, async () => {
      for (const sessionID of [...touched]) {
        touched.delete(sessionID);
        await readOne(sessionID, signal).catch(() => touched.add(sessionID));
        if (signal.aborted) return;
      }
      keepCurrent(signal);
    });
  }

  async function readOne(sessionID: string, signal: AbortSignal): Promise<void> {
    const listing = await source.session(sessionID, signal);
    const fingerprints = listing && (await source.fingerprints([listing], signal));
    signal.throwIfAborted();
    if (!listing) known.delete(sessionID);
    else known.set(sessionID, { title: listing.title, fingerprint: fingerprints?.get(sessionID) });
  }

  return {
    start: () => stream.start(),
    stop() {
      cancelRead?.();
      stream.stop();
    },
  };
}
