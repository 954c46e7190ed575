import type { MessageOutline, PartOutline } from "../contract/index.ts";
import { partIdentity } from "./part-identity.ts";
import type { PartReference } from "./ports.ts";

/** A running total of what is selected. */
export interface SelectionTotals {
  readonly parts: number;
  readonly messages: number;
  readonly bytes: number;
}

/** The selected parts of a message, and the outline that they are parts of. */
interface SelectedParts {
  outline: MessageOutline;
  readonly parts: Set<PartOutline>;
}

/**
 * The parts that the user selected, by session and message. It knows nothing of rows, filters and orders, so none
 * of them can change it; a new outline of a message is taken in by `reconcile`. It changes in place, because one key
 * press may not cost a copy of fifty thousand entries; `version` counts the changes, for whoever draws it.
 */
export class Selection {
  version = 0;
  readonly #sessions = new Map<string, Map<string, SelectedParts>>();
  readonly #totals = new Map<string, SelectionTotals>();

  has(sessionID: string, messageID: string, part: PartOutline): boolean {
    return this.#sessions.get(sessionID)?.get(messageID)?.parts.has(part) ?? false;
  }

  /** Whether any part of the message is selected. */
  selects(sessionID: string, messageID: string): boolean {
    return this.#sessions.get(sessionID)?.has(messageID) ?? false;
  }

  totals(sessionID: string): SelectionTotals {
    return this.#totals.get(sessionID) ?? NOTHING;
  }

  get sessionIDs(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  references(sessionID: string): PartReference[] {
    const references: PartReference[] = [];
    for (const [messageID, { parts }] of this.#sessions.get(sessionID) ?? []) {
      for (const part of parts) references.push(referenceTo(sessionID, messageID, part));
    }
    return references;
  }

  add(sessionID: string, message: MessageOutline, parts: readonly PartOutline[]): void {
    if (parts.length === 0) return;
    const session = getOrCreate(this.#sessions, sessionID, () => new Map<string, SelectedParts>());
    const selected = getOrCreate(session, message.messageID, () => ({ outline: message, parts: new Set() }));
    const added = { parts: 0, messages: selected.parts.size === 0 ? 1 : 0, bytes: 0 };
    for (const part of parts) {
      if (selected.parts.has(part)) continue;
      selected.parts.add(part);
      added.parts += 1;
      added.bytes += part.bytes;
    }
    this.#count(sessionID, added, 1);
  }

  remove(sessionID: string, messageID: string, parts: Iterable<PartOutline>): void {
    const session = this.#sessions.get(sessionID);
    const selected = session?.get(messageID);
    if (session === undefined || selected === undefined) return;
    const removed = { parts: 0, messages: 0, bytes: 0 };
    for (const part of parts) {
      if (!selected.parts.delete(part)) continue;
      removed.parts += 1;
      removed.bytes += part.bytes;
    }
    if (selected.parts.size === 0) {
      session.delete(messageID);
      removed.messages = 1;
    }
    this.#count(sessionID, removed, -1);
    if (session.size === 0) this.clear(sessionID);
  }

  /** Takes everything of a message out. */
  forget(sessionID: string, messageID: string): void {
    this.remove(sessionID, messageID, [...(this.#sessions.get(sessionID)?.get(messageID)?.parts ?? [])]);
  }

  clear(sessionID: string): void {
    this.#sessions.delete(sessionID);
    this.#totals.delete(sessionID);
    this.version += 1;
  }

  /**
   * Takes in what a fresh outline says: parts that moved stay selected, parts that are gone or can no longer be
   * pruned leave. Returns how many left, by message.
   */
  reconcile(sessionID: string, messages: readonly MessageOutline[]): ReadonlyMap<string, number> {
    const vanished = new Map<string, number>();
    const session = this.#sessions.get(sessionID);
    if (session === undefined) return vanished;
    const missing = new Map(session);
    for (const message of messages) {
      const selected = missing.get(message.messageID);
      if (selected === undefined) continue;
      missing.delete(message.messageID);
      const gone = this.#renew(sessionID, message, selected);
      if (gone > 0) vanished.set(message.messageID, gone);
    }
    for (const [messageID, { parts }] of missing) {
      vanished.set(messageID, parts.size);
      this.forget(sessionID, messageID);
    }
    return vanished;
  }

  /** Exchanges the selected parts of a message for those of a fresh outline. Returns how many are gone. */
  #renew(sessionID: string, message: MessageOutline, selected: SelectedParts): number {
    if (selected.outline === message) return 0;
    const before = [...selected.parts];
    this.remove(sessionID, message.messageID, before);
    const found = message.unprunable === undefined ? findAgain(before, message.parts) : [];
    this.add(sessionID, message, found);
    return before.length - found.length;
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

/** The parts of a fresh outline that were selected before. Where it is not certain which of several, none. */
function findAgain(selected: readonly PartOutline[], fresh: readonly PartOutline[]): readonly PartOutline[] {
  const wanted = countIdentities(selected);
  const there = countIdentities(fresh);
  return fresh.filter((part) => {
    const identity = partIdentity(part);
    return wanted.has(identity) && wanted.get(identity) === there.get(identity);
  });
}

function countIdentities(parts: readonly PartOutline[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const identity = partIdentity(part);
    counts.set(identity, (counts.get(identity) ?? 0) + 1);
  }
  return counts;
}

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
