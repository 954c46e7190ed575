import { parentPort, workerData } from "node:worker_threads";
import { openNodeSqliteToRead } from "./node-sqlite.ts";
import { Reader, serveReads } from "./reading/index.ts";

/** The reading thread: reads databases on its own connections, so that the daemon's event loop stays free. */
if (parentPort) serveReads(parentPort, new Reader(openNodeSqliteToRead, workerData.cursorKey));
