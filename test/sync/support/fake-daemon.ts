import { createHash } from "node:crypto";
import {
  type MessageOutline,
  outlineMessage,
  PRUNED_EVENT,
  partBytes,
  revisionOf,
} from "../../../src/contract/index.ts";
import type { MessageReference, SessionActivity } from "../../../src/state/ports.ts";
import type {
  EventListener,
  EventSource,
  HistoryEvent,
  HistorySource,
  MessageReading,
  OutlineReading,
  SessionListing,
} from "../../../src/sync/index.ts";
import type { TestClock } from "./test-clock.ts";

export interface FakeMessage {
  readonly id: string;
  readonly type: "assistant" | "user" | "idle";
  readonly time: { readonly created: number; readonly completed?: number };
  readonly content: readonly { readonly type: string; readonly [member: string]: unknown }[];
}

interface FakeSession {
  listing: SessionListing;
  messages: readonly FakeMessage[];
}

/** Reads that were made, by what they read. */
export interface Reads {
  sessions: number;
  session: string[];
  outline: string[];
  message: string[];
  fingerprints: number;
}

/**
 * A daemon in memory with the manners of the real one: reads take time and may fail, a long read sees its pages
 * at different moments, events come late, twice or in another order, and whatever was under way when the stream
 * ends is missed.
 */
export class FakeDaemon implements HistorySource, EventSource {
  readonly server = "http://fake";
  readonly fingerprintKind: "exact" | "weak";
  readonly #clock: TestClock;
  readonly sessionsByID = new Map<string, FakeSession>();
  reads: Reads = noReads();
  /** Milliseconds that a read takes, in two halves. */
  latency = 4;
  /** How many of the next reads fail. */
  failing = 0;
  /** Nobody answers at all. */
  down = false;
  /** The stream stays open and says nothing any more. */
  muted = false;
  /** Answers the delays, in milliseconds, at which an event is delivered: none loses it, two deliver it twice. */
  delivery: () => readonly number[] = () => [0];
  readonly #streams = new Map<EventListener, (error?: Error) => void>();
  /** Called just before an event arrives anywhere. */
  beforeEvent: () => void = () => {};
  #changes = 0;
  /** Every state that a message ever had, oldest first, and how far the events that arrived reach. */
  readonly #states = new Map<string, string[]>();
  readonly #reported = new Map<string, number>();

  constructor(clock: TestClock, fingerprintKind: "exact" | "weak" = "exact") {
    this.#clock = clock;
    this.fingerprintKind = fingerprintKind;
  }

  // ── What happens in it ────────────────────────────────────────────────────────────────────────────────

  create(sessionID: string, messages: readonly FakeMessage[] = []): void {
    const now = this.#clock.now();
    const listing: SessionListing = {
      sessionID,
      title: `Title of ${sessionID}`,
      directory: "/project",
      projectID: "global",
      created: now,
      updated: now,
      activity: "idle",
    };
    this.sessionsByID.set(sessionID, { listing, messages });
    for (const message of messages) this.#remember(message);
    this.#native(sessionID, "session.created");
  }

  delete(sessionID: string): void {
    if (!this.sessionsByID.delete(sessionID)) return;
    this.#native(sessionID, "session.deleted");
  }

  rename(sessionID: string, title: string): void {
    this.#list(sessionID, { title });
    this.#native(sessionID, "session.renamed");
  }

  move(sessionID: string, directory: string): void {
    this.#list(sessionID, { directory });
    this.#native(sessionID, "session.moved");
  }

  setActivity(sessionID: string, activity: SessionActivity, event: string): void {
    this.#list(sessionID, { activity });
    this.#native(sessionID, event);
  }

  /** Writes a message, new or changed, as a step of a running session does. */
  write(sessionID: string, written: FakeMessage, event = "session.step.ended"): void {
    const session = this.sessionsByID.get(sessionID);
    if (!session) return;
    const at = session.messages.findIndex((one) => one.id === written.id);
    const old = session.messages[at];
    const created = old?.time.created ?? this.#clock.now() + ++this.#changes;
    const message = { ...written, time: { ...written.time, created } };
    session.messages = old ? session.messages.with(at, message) : [...session.messages, message];
    this.#list(sessionID, {});
    this.#remember(message);
    this.#native(sessionID, event, message.type === "assistant" ? message.id : undefined);
  }

  /** Deletes the technical parts of a message; answers whether there were any. */
  prune({ sessionID, messageID }: MessageReference): boolean {
    const session = this.sessionsByID.get(sessionID);
    const message = session?.messages.find((one) => one.id === messageID);
    const content = message?.content.filter((part) => part.type === "text") ?? [];
    if (!session || !message || content.length === message.content.length) return false;
    session.messages = session.messages.map((one) => (one === message ? { ...message, content } : one));
    this.#remember({ ...message, content });
    this.#emit(
      { type: PRUNED_EVENT, data: { sessionID, messageID, revision: revisionOf(content) } },
      messageID,
    );
    return true;
  }

  /** Ends the stream; what was under way is missed. */
  cut(error?: Error): void {
    for (const end of [...this.#streams.values()]) end(error);
  }

  /** Sends an event of any kind. */
  emit(event: HistoryEvent): void {
    this.#emit(event);
  }

  // ── What one reads of it ──────────────────────────────────────────────────────────────────────────────

  /** Everything, as a reader who disturbs nobody would find it. */
  truth(): ReadonlyMap<string, { listing: SessionListing; outline: OutlineReading }> {
    return new Map(
      [...this.sessionsByID].map(([id, { listing, messages }]) => [
        id,
        { listing, outline: outlineOf(messages) },
      ]),
    );
  }

  /** Whether an event that arrived told of a newer state of the message than this one. */
  isOutdated(outline: MessageOutline): boolean {
    const state = this.#states.get(outline.messageID)?.lastIndexOf(JSON.stringify(outline)) ?? -1;
    return state < (this.#reported.get(outline.messageID) ?? 0);
  }

  contentOf({ sessionID, messageID }: MessageReference): FakeMessage["content"] | undefined {
    return this.sessionsByID.get(sessionID)?.messages.find((one) => one.id === messageID)?.content;
  }

  async *sessions(signal: AbortSignal): AsyncIterable<readonly SessionListing[]> {
    this.reads.sessions += 1;
    const page = 3;
    let last = "~";
    for (;;) {
      await this.#half(signal);
      const all = [...this.sessionsByID.values()].map(({ listing }) => listing);
      const before = last;
      const listings = all
        .filter((listing) => orderOf(listing) < before)
        .sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1))
        .slice(0, page);
      last = listings.map(orderOf).at(-1) ?? "";
      await this.#half(signal);
      yield listings;
      if (listings.length < page) return;
    }
  }

  async session(sessionID: string, signal: AbortSignal): Promise<SessionListing | undefined> {
    this.reads.session.push(sessionID);
    await this.#half(signal);
    const found = this.sessionsByID.get(sessionID)?.listing;
    await this.#half(signal);
    return found;
  }

  async outline(sessionID: string, signal: AbortSignal): Promise<OutlineReading | undefined> {
    this.reads.outline.push(sessionID);
    await this.#half(signal);
    const session = this.sessionsByID.get(sessionID);
    if (!session) return undefined;
    const fingerprint = this.#fingerprint(session);
    const first = session.messages.slice(0, Math.ceil(session.messages.length / 2));
    await this.#half(signal);
    const later = this.sessionsByID.get(sessionID);
    if (!later) return undefined;
    const seen = new Set(first.map((message) => message.id));
    const messages = [...first, ...later.messages.filter((message) => !seen.has(message.id))];
    return { ...outlineOf(messages), fingerprint };
  }

  async message(reference: MessageReference, signal: AbortSignal): Promise<MessageReading | undefined> {
    this.reads.message.push(reference.messageID);
    await this.#half(signal);
    const message = this.sessionsByID
      .get(reference.sessionID)
      ?.messages.find((one) => one.id === reference.messageID);
    await this.#half(signal);
    if (!message) return undefined;
    const content = { ...reference, revision: revisionOf(message.content), parts: message.content };
    return message.type === "assistant" ? { content, outline: outlineMessage(message) } : { content };
  }

  async fingerprints(
    sessions: readonly SessionListing[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    this.reads.fingerprints += 1;
    await this.#half(signal);
    const found = new Map<string, string>();
    for (const { sessionID } of sessions) {
      const session = this.sessionsByID.get(sessionID);
      if (session) found.set(sessionID, this.#fingerprint(session));
    }
    await this.#half(signal);
    return found;
  }

  async usage(): Promise<undefined> {
    return undefined;
  }

  listen(signal: AbortSignal, listener: EventListener): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.down) return reject(new Error("connection refused"));
      this.muted = false;
      const end = (error?: Error) => {
        if (!this.#streams.delete(listener)) return;
        if (error) reject(error);
        else resolve();
      };
      this.#streams.set(listener, end);
      signal.addEventListener("abort", () => end(new Error("aborted")), { once: true });
      const beat = () => {
        if (!this.#streams.has(listener)) return;
        if (!this.muted) listener.alive();
        this.#clock.after(15_000, beat);
      };
      this.#clock.after(2, () => {
        if (!this.#streams.has(listener)) return;
        listener.opened();
        beat();
      });
    });
  }

  // ── Inside ────────────────────────────────────────────────────────────────────────────────────────────

  #fingerprint({ listing, messages }: FakeSession): string {
    if (this.fingerprintKind === "weak") return `updated:${listing.updated}`;
    return createHash("sha256").update(JSON.stringify(messages)).digest("hex");
  }

  #list(sessionID: string, change: Partial<SessionListing>): void {
    const session = this.sessionsByID.get(sessionID);
    if (!session) return;
    this.#changes += 1;
    session.listing = { ...session.listing, ...change, updated: this.#clock.now() + this.#changes };
  }

  #native(sessionID: string, type: string, messageID?: string): void {
    const data = { sessionID, ...(messageID === undefined ? {} : { assistantMessageID: messageID }) };
    this.#emit({ type, data }, messageID);
  }

  #remember(message: FakeMessage): void {
    const states = this.#states.get(message.id) ?? [];
    this.#states.set(message.id, states);
    states.push(JSON.stringify(outlineMessage(message)));
  }

  #emit(event: HistoryEvent, messageID?: string): void {
    const state = messageID === undefined ? 0 : (this.#states.get(messageID)?.length ?? 0) - 1;
    if (this.muted) return;
    for (const listener of this.#streams.keys()) {
      for (const delay of this.delivery()) {
        this.#clock.after(delay, () => {
          if (!this.#streams.has(listener) || this.muted) return;
          this.beforeEvent();
          listener.alive();
          listener.event(event);
          if (messageID === undefined) return;
          this.#reported.set(messageID, Math.max(state, this.#reported.get(messageID) ?? 0));
        });
      }
    }
  }

  async #half(signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(this.latency / 2, signal);
    if (this.down) throw new Error("connection refused");
    if (this.failing > 0) {
      this.failing -= 1;
      throw new Error("the connection was cut");
    }
  }
}

function outlineOf(messages: readonly FakeMessage[]): OutlineReading {
  const outlines: MessageOutline[] = [];
  const others = { messages: 0, bytes: 0 };
  for (const message of messages) {
    if (message.type === "assistant") {
      outlines.push(outlineMessage(message));
    } else {
      others.messages += 1;
      others.bytes += partBytes(message);
    }
  }
  return { messages: outlines, others };
}

/** Sessions are listed by their creation, newest first, and a page begins where the one before it ended. */
function orderOf({ created, sessionID }: SessionListing): string {
  return `${created} ${sessionID}`;
}

export function noReads(): Reads {
  return { sessions: 0, session: [], outline: [], message: [], fingerprints: 0 };
}

/** An assistant message with a reasoning, a tool and a text part. */
export function assistant(id: string, bytes = 20, created = 1_700_000_000_000): FakeMessage {
  return {
    id,
    type: "assistant",
    time: { created, completed: created + 1 },
    content: [
      { type: "reasoning", text: `thought of ${id}` },
      {
        type: "tool",
        id: `call_${id}`,
        name: "read",
        state: { status: "completed", input: { filePath: `/secret/${id}` }, output: "x".repeat(bytes) },
      },
      { type: "text", text: `answer of ${id}` },
    ],
  };
}

export function user(id: string): FakeMessage {
  return { id, type: "user", time: { created: 1_700_000_000_000 }, content: [] };
}
