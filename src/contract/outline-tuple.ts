import { MAX_ID_LENGTH, MAX_MESSAGE_BYTES, MAX_PARTS } from "./limits.ts";
import { MAX_LABEL_LENGTH, type Unprunable } from "./outline.ts";
import type { MessageTuple } from "./outline-wire.ts";
import { isSettledStatus } from "./technical.ts";

/** A message as far as its outline needs it, whoever read it. */
export interface MessageFacts {
  readonly messageID: string;
  readonly created: number;
  /** Whatever the message holds there. */
  readonly completed: unknown;
  readonly storedBytes: number;
  readonly partCount: number;
}

/** Whatever a part holds in these places; `status` is the one in its `state`. */
export type PartMembers = readonly [
  type?: unknown,
  created?: unknown,
  toolID?: unknown,
  toolName?: unknown,
  status?: unknown,
];

/** A part as far as its outline needs it. */
export type PartFacts = readonly [
  index: number,
  bytes: number,
  /** Whatever the part holds there; absent where it is no object. */
  members: PartMembers | undefined,
  /** The text that the label is made from. */
  label?: unknown,
];

/** The outline of an assistant message, or of a range of its parts, as it travels. */
export function outlineTuple(message: MessageFacts, parts: readonly PartFacts[]): MessageTuple {
  const technical: MessageTuple[7] = [];
  let unprunable: Unprunable | null = null;
  let keptParts = 0;
  let keptBytes = 0;
  // By index: taking tuples apart by pattern goes through their iterators, for tens of thousands of them.
  for (const part of parts) {
    const members = part[2] ?? [];
    const type = members[0];
    if (type === "tool") {
      const status = members[4];
      if (!isSettledStatus(status)) unprunable ??= "unsettled_tool";
      technical.push([
        part[0],
        part[1],
        momentOf(members[1]),
        shortOf(members[2]),
        shortOf(members[3]),
        shortOf(status),
        firstLine(part[3]),
      ]);
    } else if (type === "reasoning") {
      technical.push([part[0], part[1], momentOf(members[1])]);
    } else {
      keptParts += 1;
      keptBytes += part[1];
      if (type !== "text") unprunable ??= "unknown_part";
    }
  }
  const completed = momentOf(message.completed);
  if (!((completed ?? 0) > 0)) unprunable = "incomplete";
  if (message.storedBytes > MAX_MESSAGE_BYTES || message.partCount > MAX_PARTS) unprunable = "too_large";
  const { messageID, created, storedBytes } = message;
  return [messageID, created, completed, storedBytes, unprunable, keptParts, keptBytes, technical];
}

function momentOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function shortOf(text: unknown): string | null {
  return typeof text === "string" && text.length <= MAX_ID_LENGTH ? text : null;
}

function firstLine(text: unknown): string {
  if (typeof text !== "string") return "";
  const line =
    text
      .slice(0, 4 * MAX_LABEL_LENGTH)
      .trimStart()
      .split("\n", 1)[0] ?? "";
  return line.trimEnd().slice(0, MAX_LABEL_LENGTH);
}
