import type { TechnicalType } from "./technical.ts";

/** Why a message, or one part of it, cannot be pruned now. Not a word of the pruning RPC. */
export const UNPRUNABLE = ["incomplete", "unsettled_tool", "unknown_part", "too_large", "malformed"] as const;
export type Unprunable = (typeof UNPRUNABLE)[number];

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
