import type { MessageOutline, Unprunable } from "../../contract/index.ts";
import type { CleanupSession, RefusalReason } from "../../state/ports.ts";
import type { Delivery, SizedRequest } from "../sending/index.ts";

/** What a fresh read of a session says about cleaning it. */
export type SessionReading =
  | { readonly refused: RefusalReason }
  | {
      readonly directory: string;
      readonly delivery: Delivery;
      /** The exact request for each message that can be pruned, oldest first. */
      readonly requests: readonly SizedRequest[];
      readonly skipped: CleanupSession["skipped"];
    };

/** Sorts a session's messages into what will be asked for and what will not, without keeping their outlines. */
export class SessionSorter {
  readonly requests: SizedRequest[] = [];
  readonly #skipped = new Map<Unprunable, { messages: number; parts: number; bytes: number }>();
  readonly #delivery: Delivery;

  constructor(delivery: Delivery) {
    this.#delivery = delivery;
  }

  ask(outline: MessageOutline, revision: string): void {
    const { messageID, parts } = outline;
    const indexes = parts.map((part) => part.index);
    const toolCount = parts.filter((part) => part.type === "tool").length;
    const reasoningCount = parts.length - toolCount;
    this.requests.push({
      request:
        this.#delivery === "single"
          ? { messageID, revision, indexes }
          : { messageID, revision, toolCount, reasoningCount },
      parts: parts.length,
      bytes: bytesOf(outline),
    });
  }

  skip(outline: MessageOutline, reason: Unprunable): void {
    const { messages, parts, bytes } = this.#skipped.get(reason) ?? { messages: 0, parts: 0, bytes: 0 };
    this.#skipped.set(reason, {
      messages: messages + 1,
      parts: parts + outline.parts.length,
      bytes: bytes + bytesOf(outline),
    });
  }

  get skipped(): CleanupSession["skipped"] {
    return [...this.#skipped].map(([reason, amounts]) => ({ reason, ...amounts }));
  }
}

/** Whether the message can have technical parts at all: what is too large or malformed may, though none is known. */
export function isTechnical({ parts, unprunable }: MessageOutline): boolean {
  return parts.length > 0 || unprunable === "too_large" || unprunable === "malformed";
}

function bytesOf({ parts }: MessageOutline): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}
