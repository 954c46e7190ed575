import * as z from "zod";
import { MAX_ID_LENGTH, MAX_PART_INDEX } from "./limits.ts";
import { MAX_LABEL_LENGTH, type MessageOutline, type PartOutline, UNPRUNABLE } from "./outline.ts";
import { BLOCKED_REASONS } from "./rpc.ts";

/*
 * An outline on the wire. A session of 8,000 messages is 8,000 times the same member names, so messages and parts
 * travel as tuples: a third of the bytes, and as much less work on the daemon's event loop. `null` stands for
 * "absent".
 */

const count = z.number().int().min(0);
const index = count.max(MAX_PART_INDEX);
const name = z.string().max(MAX_ID_LENGTH).nullable();
/** Milliseconds since the epoch. */
const moment = z.number().nullable();

/** index, bytes, created */
const ReasoningTuple = z.tuple([index, count, moment]);
/** index, bytes, created, tool's id, tool's name, status, label */
const ToolTuple = z.tuple([index, count, moment, name, name, name, z.string().max(MAX_LABEL_LENGTH)]);

/** messageID, created, completed, stored bytes, unprunable, kept parts, kept bytes, technical parts */
export const MessageTuple = z.tuple([
  z.string().min(1),
  z.number(),
  moment,
  count,
  z.enum(UNPRUNABLE).nullable(),
  count,
  count,
  z.array(z.union([ToolTuple, ReasoningTuple])),
]);
export type MessageTuple = z.infer<typeof MessageTuple>;
export type PartTuple = MessageTuple[7][number];

export const OutlinePage = z.strictObject({
  status: z.literal("page"),
  /** Why nothing of the session can be pruned at this moment; null when nothing stands against it. */
  blocked: z.enum(BLOCKED_REASONS).nullable(),
  /**
   * Assistant messages in the session's order. A message with more parts than fit a page goes on as the first of
   * the next page, under the same id.
   */
  messages: z.array(MessageTuple),
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
  const [messageID, created, completed, storedBytes, unprunable, keptParts, keptBytes, parts] = tuple;
  return {
    messageID,
    created,
    ...(completed === null ? {} : { completed }),
    storedBytes,
    ...(unprunable === null ? {} : { unprunable }),
    parts: parts.map(partOf),
    kept: { parts: keptParts, bytes: keptBytes },
  };
}

function partOf(tuple: PartTuple): PartOutline {
  const [index, bytes, created, toolID, toolName, status, label] = tuple;
  return {
    index,
    type: tuple.length === 3 ? "reasoning" : "tool",
    bytes,
    ...(typeof toolID === "string" ? { toolID } : {}),
    ...(typeof toolName === "string" ? { toolName } : {}),
    ...(typeof status === "string" ? { status } : {}),
    label: label ?? "",
    ...(created === null ? {} : { created }),
  };
}
