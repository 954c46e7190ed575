import type { MessageOutline, PartOutline, TechnicalType } from "../contract/index.ts";
import { partIdentity } from "./part-identity.ts";
import { PART_SORTS, type PartSort } from "./ports.ts";
import { filterWords, matches } from "./session-rows.ts";

export type PartsShown = "technical" | TechnicalType;

export interface MessageRow {
  readonly kind: "message";
  readonly message: MessageOutline;
  /** The message's place among the assistant messages, from 1, oldest first. */
  readonly number: number;
  /** The parts of it that are shown, in order. */
  readonly parts: readonly PartOutline[];
}

export interface PartRow {
  readonly kind: "part";
  readonly message: MessageOutline;
  readonly part: PartOutline;
  /** Tells parts of one identity apart: how many of them come before. */
  readonly twin: number;
}

export type PartListRow = MessageRow | PartRow;

/** What stays the same when the row moves. Made on demand: a hundred thousand of them are not kept. */
export function partRowKey(row: PartListRow): string {
  const { messageID } = row.message;
  return row.kind === "message" ? messageID : `${messageID} ${partIdentity(row.part)} ${row.twin}`;
}

export interface PartsWanted {
  readonly shown: PartsShown;
  readonly sort: PartSort;
  readonly filter: string;
}

/** The parts grouped by message, each group led by its message. Messages without a part to show are left out. */
export function partRows(messages: readonly MessageOutline[], wanted: PartsWanted): readonly PartListRow[] {
  const words = filterWords(wanted.filter);
  const groups: (readonly PartListRow[])[] = [];
  messages.forEach((message, index) => {
    const group = groupOf(message, index + 1, wanted, words);
    if (group.length > 0) groups.push(group);
  });
  if (wanted.sort === "newest") groups.reverse();
  if (wanted.sort === "largest") groups.sort((one, other) => bytesOf(other) - bytesOf(one));
  const rows: PartListRow[] = [];
  for (const group of groups) for (const row of group) rows.push(row);
  return rows;
}

export function nextPartSort(sort: PartSort): PartSort {
  return PART_SORTS[(PART_SORTS.indexOf(sort) + 1) % PART_SORTS.length] ?? "oldest";
}

/** Whether the part can be selected; what cannot says why through its message. */
export function isSelectable(message: MessageOutline): boolean {
  return message.unprunable === undefined;
}

interface Remembered {
  readonly number: number;
  readonly wanted: string;
  readonly rows: readonly PartListRow[];
}

const remembered = new WeakMap<MessageOutline, Remembered>();

/** A message that did not change keeps its rows, so that an update of one message costs one message. */
function groupOf(
  message: MessageOutline,
  number: number,
  { shown, sort, filter }: PartsWanted,
  words: readonly string[],
): readonly PartListRow[] {
  const wanted = `${shown} ${sort === "largest"} ${filter}`;
  const before = remembered.get(message);
  if (before !== undefined && before.number === number && before.wanted === wanted) return before.rows;
  const parts = wantedParts(message, shown, words, sort);
  const rows: PartListRow[] = [];
  if (parts.length > 0) {
    rows.push({ kind: "message", message, number, parts });
    const twins = new Map<string, number>();
    for (const part of parts) {
      const identity = partIdentity(part);
      const twin = twins.get(identity) ?? 0;
      twins.set(identity, twin + 1);
      rows.push({ kind: "part", message, part, twin });
    }
  }
  remembered.set(message, { number, wanted, rows });
  return rows;
}

function wantedParts(
  message: MessageOutline,
  shown: PartsShown,
  words: readonly string[],
  sort: PartSort,
): readonly PartOutline[] {
  const isEverything = shown === "technical" && words.length === 0;
  const parts = isEverything
    ? message.parts
    : message.parts.filter(
        (part) =>
          (shown === "technical" || part.type === shown) &&
          (words.length === 0 || matches(haystackOf(part), words)),
      );
  return sort === "largest" ? [...parts].sort((one, other) => other.bytes - one.bytes) : parts;
}

function haystackOf(part: PartOutline): string {
  return `${part.type}\n${part.toolName ?? ""}\n${part.label}\n${part.status ?? ""}`.toLowerCase();
}

function bytesOf(group: readonly PartListRow[]): number {
  const head = group[0];
  return head?.kind === "message" ? head.parts.reduce((sum, part) => sum + part.bytes, 0) : 0;
}
