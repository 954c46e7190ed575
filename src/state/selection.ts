import type { MessageOutline, PartOutline } from "../contract/index.ts";
import { partIdentity } from "./part-identity.ts";
import type { PartReference } from "./ports.ts";

/** A running total of what is selected. */
export interface SelectionTotals {
  readonly parts: number;
  readonly messages: number;
  readonly bytes: number;
}

type MessageSelection = Map<string, PartReference>;

/**
 * The parts that the user selected, by session, message and identity. It knows nothing of rows, filters and
 * orders, so none of them can change it. It changes in place, because one key press may not cost a copy of
 * fifty thousand entries; `version` counts the changes, for whoever draws it.
 */
export class Selection {
  version = 0;
  readonly #sessions = new Map<string, Map<string, MessageSelection>>();
  /** Outlines that the selection was already compared with. */
  readonly #settled = new WeakSet<MessageOutline>();
  readonly #totals = new Map<string, SelectionTotals>();

  has(sessionID: string, messageID: string, part: PartOutline): boolean {
    return this.#sessions.get(sessionID)?.get(messageID)?.has(partIdentity(part)) ?? false;
  }

  /** How many selected parts the message has. */
  countIn(sessionID: string, messageID: string): number {
    return this.#sessions.get(sessionID)?.get(messageID)?.size ?? 0;
  }

  totals(sessionID: string): SelectionTotals {
    return this.#totals.get(sessionID) ?? NOTHING;
  }

  get sessionIDs(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  references(sessionID: string): PartReference[] {
    const messages = this.#sessions.get(sessionID)?.values() ?? [];
    return [...messages].flatMap((message) => [...message.values()]);
  }

  add(sessionID: string, message: MessageOutline, parts: readonly PartOutline[]): void {
    if (parts.length === 0) return;
    const session = getOrCreate(this.#sessions, sessionID, () => new Map<string, MessageSelection>());
    const selected = getOrCreate(session, message.messageID, () => new Map<string, PartReference>());
    const added = { parts: 0, messages: selected.size === 0 ? 1 : 0, bytes: 0 };
    for (const part of parts) {
      const identity = partIdentity(part);
      if (selected.has(identity)) continue;
      selected.set(identity, referenceTo(sessionID, message.messageID, part));
      added.parts += 1;
      added.bytes += part.bytes;
    }
    this.#count(sessionID, added, 1);
  }

  remove(sessionID: string, messageID: string, parts: readonly PartOutline[]): void {
    this.#drop(sessionID, messageID, parts.map(partIdentity));
  }

  clear(sessionID: string): void {
    this.#sessions.delete(sessionID);
    this.#totals.delete(sessionID);
    this.version += 1;
  }

  /**
   * Takes out what a fresh outline no longer has and brings positions and sizes up to date.
   * Returns how many selected parts vanished, by message.
   */
  reconcile(sessionID: string, messages: readonly MessageOutline[]): ReadonlyMap<string, number> {
    const vanished = new Map<string, number>();
    const session = this.#sessions.get(sessionID);
    if (session === undefined) return vanished;
    const missing = new Set(session.keys());
    for (const message of messages) {
      if (!missing.delete(message.messageID) || this.#settled.has(message)) continue;
      this.#settled.add(message);
      const gone = this.#refresh(sessionID, message);
      if (gone > 0) vanished.set(message.messageID, gone);
    }
    for (const messageID of missing) {
      vanished.set(messageID, session.get(messageID)?.size ?? 0);
      this.#drop(sessionID, messageID, [...(session.get(messageID)?.keys() ?? [])]);
    }
    return vanished;
  }

  #refresh(sessionID: string, message: MessageOutline): number {
    const selected =
      this.#sessions.get(sessionID)?.get(message.messageID) ?? new Map<string, PartReference>();
    const parts = new Map(message.parts.map((part) => [partIdentity(part), part]));
    const gone: string[] = [];
    for (const [identity, reference] of selected) {
      const part = parts.get(identity);
      if (part === undefined || message.unprunable !== undefined) {
        gone.push(identity);
        continue;
      }
      if (part.index === reference.index && part.bytes === reference.bytes) continue;
      selected.set(identity, referenceTo(sessionID, message.messageID, part));
      this.#count(sessionID, { parts: 0, messages: 0, bytes: part.bytes - reference.bytes }, 1);
    }
    this.#drop(sessionID, message.messageID, gone);
    return gone.length;
  }

  #drop(sessionID: string, messageID: string, identities: readonly string[]): void {
    const session = this.#sessions.get(sessionID);
    const selected = session?.get(messageID);
    if (session === undefined || selected === undefined) return;
    const removed = { parts: 0, messages: 0, bytes: 0 };
    for (const identity of identities) {
      const reference = selected.get(identity);
      if (reference === undefined) continue;
      selected.delete(identity);
      removed.parts += 1;
      removed.bytes += reference.bytes;
    }
    if (selected.size === 0) {
      session.delete(messageID);
      removed.messages = 1;
    }
    this.#count(sessionID, removed, -1);
    if (session.size === 0) this.clear(sessionID);
  }

  #count(sessionID: string, change: SelectionTotals, sign: 1 | -1): void {
    const before = this.totals(sessionID);
    this.#totals.set(sessionID, {
      parts: before.parts + sign * change.parts,
      messages: before.messages + sign * change.messages,
      bytes: before.bytes + sign * change.bytes,
    });
    this.version += 1;
  }
}

const NOTHING: SelectionTotals = { parts: 0, messages: 0, bytes: 0 };

function referenceTo(sessionID: string, messageID: string, part: PartOutline): PartReference {
  return {
    sessionID,
    messageID,
    index: part.index,
    type: part.type,
    bytes: part.bytes,
    ...(part.toolID === undefined ? {} : { toolID: part.toolID }),
    ...(part.created === undefined ? {} : { created: part.created }),
  };
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
