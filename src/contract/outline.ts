import { MAX_MESSAGE_BYTES, MAX_PARTS } from "./limits.ts";
import { isSettledStatus, isTechnicalType, partBytes, type TechnicalType } from "./technical.ts";

/** Why a message, or one part of it, cannot be pruned now. A word of the interface, not of the wire contract. */
export type Unprunable = "incomplete" | "unsettled_tool" | "unknown_part" | "too_large" | "malformed";

/** One technical part, without its content. */
export interface PartOutline {
  /** Position in the message's `content` array. */
  readonly index: number;
  readonly type: TechnicalType;
  /** UTF-8 bytes of the part's JSON. */
  readonly bytes: number;
  /** A tool part's own id; absent on reasoning. */
  readonly toolID?: string;
  readonly toolName?: string;
  /** A tool's state: `streaming`, `running`, `completed` or `error`; absent on reasoning. */
  readonly status?: string;
  /** What it did in one line (the file, the command, the pattern), at most 160 characters; may be empty. Never written to disk. */
  readonly label: string;
  /** Milliseconds since the epoch, where the part says so. */
  readonly created?: number;
}

/** One assistant message, without its content. */
export interface MessageOutline {
  readonly messageID: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly completed?: number;
  /** Bytes that the stored message takes. */
  readonly storedBytes: number;
  /** Absent when the message may be pruned. */
  readonly unprunable?: Unprunable;
  readonly parts: readonly PartOutline[];
  /** Parts that pruning never touches, and their bytes. */
  readonly kept: { readonly parts: number; readonly bytes: number };
}

export const MAX_LABEL_LENGTH = 160;

interface LooseMessage {
  readonly id: string;
  readonly time: { readonly created: number; readonly completed?: number | undefined };
  readonly content: readonly LoosePart[];
}

interface LoosePart {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The outline of an assistant message whose whole content is at hand. */
export function outlineMessage(message: LooseMessage): MessageOutline {
  const parts: PartOutline[] = [];
  let unprunable: Unprunable | undefined;
  let keptParts = 0;
  let keptBytes = 0;
  message.content.forEach((part, index) => {
    const bytes = partBytes(part);
    if (!isTechnicalType(part.type)) {
      keptParts += 1;
      keptBytes += bytes;
      if (part.type !== "text") unprunable ??= "unknown_part";
      return;
    }
    const outline = outlinePart(part, part.type, index, bytes);
    if (outline.type === "tool" && !isSettledStatus(outline.status)) unprunable ??= "unsettled_tool";
    parts.push(outline);
  });
  const storedBytes = partBytes(message);
  if (!((message.time.completed ?? 0) > 0)) unprunable = "incomplete";
  if (storedBytes > MAX_MESSAGE_BYTES || message.content.length > MAX_PARTS) unprunable = "too_large";
  return {
    messageID: message.id,
    created: message.time.created,
    ...(message.time.completed === undefined ? {} : { completed: message.time.completed }),
    storedBytes,
    ...(unprunable === undefined ? {} : { unprunable }),
    parts,
    kept: { parts: keptParts, bytes: keptBytes },
  };
}

function outlinePart(part: LoosePart, type: TechnicalType, index: number, bytes: number): PartOutline {
  const time = part.time as { created?: number } | undefined;
  const created = typeof time?.created === "number" ? { created: time.created } : {};
  if (type === "reasoning") return { index, type, bytes, label: firstLine(part.text), ...created };
  const state = part.state as { status?: string; input?: unknown } | undefined;
  return {
    index,
    type,
    bytes,
    toolID: String(part.id),
    toolName: String(part.name),
    ...(state?.status === undefined ? {} : { status: state.status }),
    label: labelOfInput(state?.input),
    ...created,
  };
}

/** The members of a tool's input that say best what it did, in the order in which they are looked for. */
export const LABEL_MEMBERS = [
  "filePath",
  "path",
  "file",
  "command",
  "pattern",
  "query",
  "url",
  "description",
  "name",
  "prompt",
] as const;

function labelOfInput(input: unknown): string {
  if (typeof input === "string") return firstLine(input);
  if (input === null || typeof input !== "object") return "";
  const members = input as Record<string, unknown>;
  const named = LABEL_MEMBERS.find((member) => typeof members[member] === "string");
  if (named !== undefined) return firstLine(members[named]);
  return firstLine(Object.values(members).find((member) => typeof member === "string"));
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
