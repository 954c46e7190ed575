import type { MessageOutline } from "../contract/index.ts";

/** What the cache keeps of a session's listing. */
export interface CachedListing {
  readonly sessionID: string;
  readonly title: string;
  readonly directory: string;
  readonly projectID: string;
  readonly parentID?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
}

/** What the cache keeps of a session's messages taken together. */
export interface CachedTotals {
  readonly messages: number;
  readonly storedBytes: number;
  readonly technical: { readonly parts: number; readonly bytes: number };
  /** Of the state that all of this describes; absent when nothing could tell that state from another. */
  readonly fingerprint?: string;
}

export interface CachedOutline {
  /** Assistant messages, oldest first; what comes from the cache has empty labels. */
  readonly messages: readonly MessageOutline[];
  /** Messages that are not an assistant's: how many, and the bytes that they take. */
  readonly others: { readonly messages: number; readonly bytes: number };
}

export interface CachedSession extends CachedListing {
  /** Absent until the session's messages were read. */
  readonly totals?: CachedTotals;
}

/** What to keep of a session. Without `content`, what is kept of its messages stays as it is. */
export interface SessionToKeep {
  readonly listing: CachedListing;
  readonly content?: { readonly totals: CachedTotals; readonly outline: CachedOutline };
}
