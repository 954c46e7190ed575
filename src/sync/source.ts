import type { MessageOutline } from "../contract/index.ts";
import type { MessageContent, MessageReference, ReadsThrough, SessionActivity } from "../state/ports.ts";

/**
 * What sync reads from a daemon. Two kinds exist: over `message.list` alone (native-source.ts), and over the
 * plugin's reading RPC where the daemon has it. Every call rejects when its signal aborts.
 */
export interface HistorySource {
  /** Which server this is, for people: its address. */
  readonly server: string;
  /**
   * What an unchanged fingerprint proves. `exact`: that no message of the session changed. `weak`: nothing,
   * since a prune leaves it as it was; only a changed one proves something.
   */
  readonly fingerprintKind: "exact" | "weak";
  /** Who answers: the plugin's reading RPC, or the daemon's own API; absent while nothing was read. */
  readonly answeredBy?: ReadsThrough | undefined;
  /** All sessions, newest first, page by page. */
  sessions(signal: AbortSignal): AsyncIterable<readonly SessionListing[]>;
  /** One session; undefined when the daemon does not have it. */
  session(sessionID: string, signal: AbortSignal): Promise<SessionListing | undefined>;
  /** The whole session without its content; undefined when the daemon does not have it. */
  outline(sessionID: string, signal: AbortSignal): Promise<OutlineReading | undefined>;
  /** One message with its content; undefined when the daemon does not have it. */
  message(reference: MessageReference, signal: AbortSignal): Promise<MessageReading | undefined>;
  /**
   * A fingerprint for each of the given sessions that the daemon has. The listings are those of the
   * reconcile under way, for sources that can tell from them.
   */
  fingerprints(
    sessions: readonly SessionListing[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** Totals of many sessions without reading them; undefined where the source cannot. */
  usage(signal: AbortSignal): Promise<ReadonlyMap<string, SessionUsage> | undefined>;
}

export interface SessionListing {
  readonly sessionID: string;
  readonly title: string;
  readonly directory: string;
  readonly projectID: string;
  readonly parentID?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
  readonly activity: SessionActivity;
}

export interface OutlineReading {
  /** Assistant messages, oldest first. */
  readonly messages: readonly MessageOutline[];
  /** Messages that are not an assistant's: how many, and the bytes that they take. */
  readonly others: { readonly messages: number; readonly bytes: number };
  /**
   * Taken before the messages were read, so that it never stands for something newer than they are.
   * Absent when the source has none.
   */
  readonly fingerprint?: string;
}

export interface MessageReading {
  readonly content: MessageContent;
  /** Absent when the message is not an assistant's. */
  readonly outline?: MessageOutline;
}

export interface SessionUsage {
  readonly messages: number;
  readonly storedBytes: number;
}

/** The daemon's event stream. */
export interface EventSource {
  /**
   * Opens the stream and reports until it ends. Resolves when the server ended it, rejects when it could not be
   * opened, broke, or the signal aborted. Either way events were missed.
   */
  listen(signal: AbortSignal, listener: EventListener): Promise<void>;
}

export interface EventListener {
  /** The server said that the stream stands. */
  opened(): void;
  /** Bytes came, a heartbeat at least. */
  alive(): void;
  event(event: HistoryEvent): void;
}

/** An event of the daemon, as far as sync looks at it. */
export interface HistoryEvent {
  readonly type: string;
  readonly created?: number | undefined;
  readonly durable?: { readonly aggregateID: string; readonly seq: number } | undefined;
  readonly data: unknown;
}
