import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openNodeSqliteToRead } from "./node-sqlite.ts";
import { Reader, serveReads } from "./reading/index.ts";

/** The reading thread: reads databases on its own connections, so that the daemon's event loop stays free. */
if (parentPort) {
  letTheDaemonGoFirst();
  serveReads(parentPort, new Reader(openNodeSqliteToRead, workerData.cursorKey));
}

/**
 * Where processors are short, the daemon's own thread is not to wait for this one. Only Linux gives a thread a
 * priority of its own under the number 0; elsewhere it would be the whole daemon's.
 */
function letTheDaemonGoFirst(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It reads as well without.
  }
}
