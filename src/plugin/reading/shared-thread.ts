import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type CursorKey, newCursorKey } from "./cursor.ts";
import { ReadingThread, type StartedThread } from "./reading-thread.ts";
import { THREAD_PROTOCOL } from "./thread-protocol.ts";

/** What all locations of a daemon share that have loaded the same build of the plugin. */
export interface SharedThread {
  readonly thread: ReadingThread;
  readonly key: CursorKey;
  /** Proofs under way, by the path of the database. */
  readonly proofs: Map<string, Promise<unknown>>;
}

interface Entry extends SharedThread {
  users: number;
}

/**
 * The daemon loads the plugin once for each location, maybe each time as a module of its own, so what they share
 * hangs on the process. Builds do not share: another file, an updated one or another protocol is another entry.
 */
const PLACE = Symbol.for("opencode-prune.reading-threads");

export interface Lease {
  readonly shared: SharedThread;
  /** The last one to leave ends the thread. */
  release(): void;
}

export function leaseThread(
  workerURL: URL,
  start: (key: CursorKey) => StartedThread = (key) => startWorker(workerURL, key),
): Lease {
  const entries = entriesOfProcess();
  const build = buildOf(workerURL);
  let entry = entries.get(build);
  if (!entry) {
    const key = newCursorKey();
    entry = { thread: new ReadingThread({ start: () => start(key) }), key, proofs: new Map(), users: 0 };
    entries.set(build, entry);
  }
  const shared = entry;
  shared.users += 1;
  let released = false;
  return {
    shared,
    release: () => {
      if (released) return;
      released = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      if (entries.get(build) === shared) entries.delete(build);
      shared.thread.end();
    },
  };
}

function entriesOfProcess(): Map<string, Entry> {
  const place = globalThis as { [PLACE]?: Map<string, Entry> };
  place[PLACE] ??= new Map();
  return place[PLACE];
}

function buildOf(workerURL: URL): string {
  let written = 0;
  try {
    written = statSync(fileURLToPath(workerURL)).mtimeMs;
  } catch {
    // A missing file shows when the thread is started.
  }
  return `${THREAD_PROTOCOL} ${workerURL.href} ${written}`;
}

function startWorker(workerURL: URL, key: CursorKey): StartedThread {
  return new Worker(workerURL, { workerData: { cursorKey: key } });
}
