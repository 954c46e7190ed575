import type { HostLocation } from "../host.ts";
import type { PruningDatabase } from "../pruning-database.ts";
import type { CursorKey } from "./cursor.ts";

/**
 * Work on the database in steps of a few milliseconds. Between two steps others are served, and a caller that has
 * left ends it. No statement is open across a step, so a scan holds no snapshot that would keep the daemon's
 * write-ahead log from being checkpointed.
 */
export type Scan<Output> = Generator<void, Output, void>;

/** What a scan reads, and for whom. */
export interface Reading {
  readonly database: PruningDatabase;
  /** The database file, by device and inode. */
  readonly file: string;
  readonly location: HostLocation;
  readonly key: CursorKey;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** How much stored JSON one step may take apart: some 6 ms of work. */
export const STEP_BYTES = 4 * 1024 * 1024;
/** How many rows one step may look at: some 3 ms, when only their headers are read. */
export const STEP_ROWS = 2_048;
/** How long a page may take, in milliseconds. The step that is under way is finished. */
export const PAGE_TIME = 100;
