import * as z from "zod";
import { MAX_ID_LENGTH, MAX_PART_INDEX } from "./limits.ts";
import {
  MAX_LABEL_LENGTH,
  type MessageOutline,
  type PartOutline,
  UNPRUNABLE,
  type Unprunable,
} from "./outline.ts";
import { BLOCKED_REASONS } from "./rpc.ts";

/*
 * An outline on the wire. A session of 8,000 messages is 8,000 times the same member names, so messages and parts
 * travel as tuples: a third of the bytes, and as much less work on the daemon's event loop. `null` stands for
 * "absent". Moments are milliseconds since the epoch, sizes UTF-8 bytes.
 */

type ReasoningTuple = [index: number, bytes: number, created: number | null];
type ToolTuple = [
  ...ReasoningTuple,
  toolID: string | null,
  toolName: string | null,
  status: string | null,
  label: string,
];
export type PartTuple = ReasoningTuple | ToolTuple;
export type MessageTuple = [
  messageID: string,
  created: number,
  completed: number | null,
  storedBytes: number,
  unprunable: Unprunable | null,
  keptParts: number,
  keptBytes: number,
  parts: PartTuple[],
];

/**
 * The check is ours: what a schema made of tuples needs for a page, 6 ms of the thread that draws the screen, is
 * twenty times what this needs.
 */
export function isMessageTuple(value: unknown): value is MessageTuple {
  if (!Array.isArray(value) || value.length !== 8) return false;
  const unprunable = value[4];
  return (
    typeof value[0] === "string" &&
    value[0] !== "" &&
    Number.isFinite(value[1]) &&
    isMoment(value[2]) &&
    isCount(value[3]) &&
    (unprunable === null || UNPRUNABLE.includes(unprunable)) &&
    isCount(value[5]) &&
    isCount(value[6]) &&
    Array.isArray(value[7]) &&
    value[7].every(isPartTuple)
  );
}

function isPartTuple(value: unknown): value is PartTuple {
  if (!Array.isArray(value)) return false;
  const isPart = isCount(value[0]) && value[0] <= MAX_PART_INDEX && isCount(value[1]) && isMoment(value[2]);
  if (!isPart || value.length === 3) return isPart;
  const label = value[6];
  return (
    value.length === 7 &&
    isName(value[3]) &&
    isName(value[4]) &&
    isName(value[5]) &&
    typeof label === "string" &&
    label.length <= MAX_LABEL_LENGTH
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isMoment(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function isName(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.length <= MAX_ID_LENGTH);
}

export const OutlinePage = z.strictObject({
  status: z.literal("page"),
  /** Why nothing of the session can be pruned at this moment; null when nothing stands against it. */
  blocked: z.enum(BLOCKED_REASONS).nullable(),
  /**
   * Assistant messages in the session's order. A message with more parts than fit a page goes on as the first of
   * the next page, under the same id.
   */
  messages: z.custom<MessageTuple[]>((value) => Array.isArray(value) && value.every(isMessageTuple)),
  /** Ask again with it for what follows; null at the end. */
  cursor: z.string().nullable(),
});
export type OutlinePage = z.infer<typeof OutlinePage>;

/** Appends a page's messages to those of the pages before it. */
export function appendOutlines(messages: MessageOutline[], page: readonly MessageTuple[]): void {
  for (const tuple of page) {
    const outline = fromTuple(tuple);
    const last = messages.at(-1);
    if (last?.messageID === outline.messageID) messages[messages.length - 1] = joined(last, outline);
    else messages.push(outline);
  }
}

function joined(start: MessageOutline, rest: MessageOutline): MessageOutline {
  const unprunable = start.unprunable ?? rest.unprunable;
  return {
    messageID: start.messageID,
    created: start.created,
    ...(start.completed === undefined ? {} : { completed: start.completed }),
    storedBytes: start.storedBytes,
    ...(unprunable === undefined ? {} : { unprunable }),
    parts: [...start.parts, ...rest.parts],
    kept: { parts: start.kept.parts + rest.kept.parts, bytes: start.kept.bytes + rest.kept.bytes },
  };
}

export function fromTuple(tuple: MessageTuple): MessageOutline {
  // By index, and without spreads: a page is a thousand of these, on the thread that draws the screen.
  const outline: Writable<MessageOutline> = {
    messageID: tuple[0],
    created: tuple[1],
    storedBytes: tuple[3],
    parts: tuple[7].map(partOf),
    kept: { parts: tuple[5], bytes: tuple[6] },
  };
  if (tuple[2] !== null) outline.completed = tuple[2];
  if (tuple[4] !== null) outline.unprunable = tuple[4];
  return outline;
}

function partOf(tuple: PartTuple): PartOutline {
  const part: Writable<PartOutline> = {
    index: tuple[0],
    type: tuple.length === 3 ? "reasoning" : "tool",
    bytes: tuple[1],
    label: tuple[6] ?? "",
  };
  if (tuple[2] !== null) part.created = tuple[2];
  if (tuple.length === 3) return part;
  if (tuple[3] !== null) part.toolID = tuple[3];
  if (tuple[4] !== null) part.toolName = tuple[4];
  if (tuple[5] !== null) part.status = tuple[5];
  return part;
}

type Writable<Value> = { -readonly [Member in keyof Value]: Value[Member] };
