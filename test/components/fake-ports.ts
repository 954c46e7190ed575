import type { MessageOutline, PartOutline } from "../../src/contract/index.ts";
import type {
  HistoryPort,
  HistorySnapshot,
  MessageContent,
  MessageReference,
  Notice,
  PartReference,
  PlannedMessage,
  PruneOptions,
  PrunePlan,
  PruneReport,
  PruningPort,
  Refusal,
  RefusalReason,
  SessionOutline,
  SessionSummary,
} from "../../src/state/index.ts";

/** A moment that every test agrees on: 2026-03-14, 15:00 UTC. */
export const NOW = Date.UTC(2026, 2, 14, 15);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A history in memory. `edit` changes it and tells the listeners, as the daemon would. */
export class FakeHistory implements HistoryPort {
  readonly followed: string[] = [];
  readonly unfollowed: string[] = [];
  readonly contents = new Map<string, Readonly<Record<string, unknown>>[]>();
  shown: readonly string[] = [];
  refreshes = 0;
  reads = 0;
  failure: Error | undefined;
  #snapshot: HistorySnapshot = {
    server: "http://127.0.0.1:4096",
    connection: { phase: "live", attempt: 0 },
    listed: true,
    sessions: new Map(),
    outlines: new Map(),
  };
  readonly #listeners = new Set<() => void>();
  readonly #noticeListeners = new Set<(notice: Notice) => void>();

  snapshot(): HistorySnapshot {
    return this.#snapshot;
  }

  edit(change: Partial<HistorySnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }

  putSession(...sessions: SessionSummary[]): void {
    const all = new Map(this.#snapshot.sessions);
    for (const session of sessions) all.set(session.sessionID, session);
    this.edit({ sessions: all });
  }

  putOutline(outline: SessionOutline): void {
    this.edit({ outlines: new Map(this.#snapshot.outlines).set(outline.sessionID, outline) });
  }

  /** Takes parts out of a message, as a prune by anybody does. */
  removeParts(sessionID: string, messageID: string, indexes: readonly number[]): void {
    const outline = this.#snapshot.outlines.get(sessionID);
    if (outline === undefined) return;
    const messages = outline.messages.map((message) =>
      message.messageID === messageID ? withoutParts(message, indexes) : message,
    );
    this.putOutline({ ...outline, messages });
  }

  notify(notice: Notice): void {
    for (const listener of this.#noticeListeners) listener(notice);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onNotice(listener: (notice: Notice) => void): () => void {
    this.#noticeListeners.add(listener);
    return () => this.#noticeListeners.delete(listener);
  }

  show(sessionIDs: readonly string[]): void {
    this.shown = sessionIDs;
  }

  follow(sessionID: string): () => void {
    this.followed.push(sessionID);
    return () => this.unfollowed.push(sessionID);
  }

  refresh(): void {
    this.refreshes += 1;
  }

  async message(reference: MessageReference): Promise<MessageContent> {
    this.reads += 1;
    if (this.failure !== undefined) throw this.failure;
    return { ...reference, revision: "r", parts: this.contents.get(reference.messageID) ?? [] };
  }
}

/** Prunes in memory. Nothing happens by itself: a held prune goes on when the test says so. */
export class FakePruning implements PruningPort {
  readonly planned: (readonly PartReference[])[] = [];
  readonly pruned: PrunePlan[] = [];
  readonly refusals = new Map<string, RefusalReason>();
  /** Reasons that turn up only when the prune is sent. */
  readonly lateRefusals = new Map<string, RefusalReason>();
  planFailure: Error | undefined;
  options: PruneOptions | undefined;
  /** While set, `plan` waits for it. */
  planning: Promise<void> | undefined;
  /** While set, `prune` waits for it before each message. */
  step: (() => Promise<void>) | undefined;
  readonly #history: FakeHistory;

  constructor(history: FakeHistory) {
    this.#history = history;
  }

  async plan(
    selection: readonly PartReference[],
    signal?: AbortSignal,
    onProgress?: (progress: { done: number; total: number }) => void,
  ): Promise<PrunePlan> {
    this.planned.push(selection);
    onProgress?.({ done: 1, total: selection.length });
    await this.planning;
    signal?.throwIfAborted();
    if (this.planFailure !== undefined) throw this.planFailure;
    return this.#planOf(selection);
  }

  async prune(plan: PrunePlan, options: PruneOptions): Promise<PruneReport> {
    this.pruned.push(plan);
    this.options = options;
    const refused: Refusal[] = [...plan.refused];
    let prunedParts = 0;
    let prunedMessages = 0;
    let prunedBytes = 0;
    let done = 0;
    for (const message of plan.messages) {
      await this.step?.();
      if (options.signal?.aborted) break;
      done += 1;
      const reason = this.lateRefusals.get(message.messageID);
      if (reason === undefined) {
        prunedMessages += 1;
        prunedParts += message.goes.length;
        prunedBytes += sum(message.goes);
        this.#history.notify({ at: NOW, kind: "pruned", byUs: true, ...idsOf(message) });
        this.#history.removeParts(
          message.sessionID,
          message.messageID,
          message.goes.map((part) => part.index),
        );
      } else refused.push({ ...idsOf(message), parts: message.goes.length, reason });
      options.onProgress?.({
        messagesDone: done,
        messagesTotal: plan.messages.length,
        partsPruned: prunedParts,
        bytesPruned: prunedBytes,
        elapsed: 1_000 * done,
      });
    }
    const skippedMessages = plan.messages.length - done;
    return {
      prunedParts,
      prunedMessages,
      prunedBytes,
      skippedMessages,
      refused,
      stopped: skippedMessages > 0,
    };
  }

  #planOf(selection: readonly PartReference[]): PrunePlan {
    const messages: PlannedMessage[] = [];
    const refused: Refusal[] = [];
    const byMessage = groupByMessage(selection);
    for (const [messageID, references] of byMessage) {
      const sessionID = references[0]?.sessionID ?? "";
      const reason = this.refusals.get(messageID);
      if (reason !== undefined) {
        refused.push({ sessionID, messageID, parts: references.length, reason });
        continue;
      }
      const outline = this.#history
        .snapshot()
        .outlines.get(sessionID)
        ?.messages.find((message) => message.messageID === messageID);
      const goes = (outline?.parts ?? []).filter((part) =>
        references.some((reference) => reference.index === part.index),
      );
      const stays = (outline?.parts ?? []).filter((part) => !goes.includes(part));
      messages.push({
        sessionID,
        messageID,
        directory: "/work/api",
        revision: "r",
        goes,
        takesAll: stays.length === 0,
        stays: {
          parts: stays.length + (outline?.kept.parts ?? 0),
          bytes: sum(stays) + (outline?.kept.bytes ?? 0),
        },
      });
    }
    const parts = messages.reduce((count, message) => count + message.goes.length, 0);
    const bytes = messages.reduce((count, message) => count + sum(message.goes), 0);
    return { messages, refused, parts, bytes };
  }
}

export function session(sessionID: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    sessionID,
    title: `Session ${sessionID}`,
    directory: "/work/api",
    projectID: "p1",
    created: NOW - 5 * HOUR,
    updated: NOW - HOUR,
    activity: "idle",
    confirmed: true,
    refreshing: false,
    ...more,
  };
}

export function tool(index: number, more: Partial<PartOutline> = {}): PartOutline {
  return {
    index,
    type: "tool",
    bytes: 1_000,
    toolID: `call_${index}`,
    toolName: "bash",
    status: "completed",
    label: `command ${index}`,
    created: NOW - HOUR,
    ...more,
  };
}

export function reasoning(index: number, more: Partial<PartOutline> = {}): PartOutline {
  return {
    index,
    type: "reasoning",
    bytes: 500,
    label: `thought ${index}`,
    created: NOW - HOUR + index,
    ...more,
  };
}

export function message(
  messageID: string,
  parts: readonly PartOutline[],
  more: Partial<MessageOutline> = {},
): MessageOutline {
  return {
    messageID,
    created: NOW - HOUR,
    completed: NOW - HOUR + MINUTE,
    storedBytes: sum(parts) + 200,
    parts,
    kept: { parts: 1, bytes: 100 },
    ...more,
  };
}

export function outline(
  sessionID: string,
  messages: readonly MessageOutline[],
  more: Partial<SessionOutline> = {},
): SessionOutline {
  return { sessionID, messages, confirmed: true, refreshing: false, refreshingMessages: new Set(), ...more };
}

function withoutParts(message: MessageOutline, indexes: readonly number[]): MessageOutline {
  const parts = message.parts
    .filter((part) => !indexes.includes(part.index))
    .map((part) => ({ ...part, index: part.index - indexes.filter((index) => index < part.index).length }));
  return { ...message, parts };
}

function groupByMessage(selection: readonly PartReference[]): Map<string, PartReference[]> {
  const groups = new Map<string, PartReference[]>();
  for (const reference of selection) {
    groups.set(reference.messageID, [...(groups.get(reference.messageID) ?? []), reference]);
  }
  return groups;
}

function idsOf({ sessionID, messageID }: MessageReference): MessageReference {
  return { sessionID, messageID };
}

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, part) => total + part.bytes, 0);
}
