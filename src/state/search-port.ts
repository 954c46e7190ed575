import type { MessageReference, ReadsThrough } from "./ports.ts";

export interface SearchPort {
  /**
   * Looks for a text in the content of messages and tells what it finds, step by step. Ends with the signal; rejects
   * with the reason when it cannot go on.
   */
  search(query: ContentQuery, signal: AbortSignal): AsyncIterable<SearchStep>;
}

export interface ContentQuery {
  /** Sought literally, in upper and lower case alike; 1 to 200 characters. */
  readonly text: string;
  /** This session alone; all of them unless given. */
  readonly sessionID?: string;
}

/** What one step of a search found. */
export interface SearchStep {
  readonly hits: readonly FoundText[];
  /** Messages looked into by this step, and those that could not be. */
  readonly scanned: number;
  readonly skipped: number;
  readonly through: ReadsThrough;
}

/** The first place of a message that holds the text. The excerpt is content: it is held in memory and nowhere else. */
export interface FoundText extends MessageReference {
  /** The message's type: `assistant`, `user`, `system`, and so on. */
  readonly role: string;
  readonly kind: "text" | "tool" | "reasoning";
  readonly excerpt: string;
  /** When the message was created, in milliseconds since the epoch; absent where that is not known. */
  readonly created?: number;
}
