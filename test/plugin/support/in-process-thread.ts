import { MessageChannel } from "node:worker_threads";
import type { CursorKey } from "../../../src/plugin/reading/cursor.ts";
import { type Lease, leaseThread, Reader, serveReads } from "../../../src/plugin/reading/index.ts";
import type { StartedThread } from "../../../src/plugin/reading/reading-thread.ts";
import type { Reply } from "../../../src/plugin/reading/thread-protocol.ts";
import type { OpenSqlite } from "../../../src/plugin/sqlite.ts";

/**
 * The reading thread in this process: the same server, client and messages, over a channel instead of a thread, and
 * with the driver that Node 20 has.
 */
export function startInProcess(openSqlite: OpenSqlite, key: CursorKey): StartedThread {
  const { port1, port2 } = new MessageChannel();
  const reader = new Reader(openSqlite, key);
  const exits: ((code: number) => void)[] = [];
  serveReads({ postMessage: (reply) => port1.postMessage(reply), on: port1.on.bind(port1) }, reader);
  return {
    postMessage: (question) => port2.postMessage(question),
    on: (event: string, listener: (value: never) => void) => {
      if (event === "message") port2.on("message", (reply: Reply) => listener(reply as never));
      if (event === "exit") exits.push(listener as (code: number) => void);
    },
    terminate: () => {
      port1.close();
      port2.close();
      reader.close();
      for (const exit of exits) exit(1);
    },
    unref: () => port2.unref(),
  };
}

let builds = 0;

/** A lease of a thread that nobody else shares. */
export function leaseInProcess(openSqlite: OpenSqlite): Lease {
  builds += 1;
  return leaseThread(new URL(`file:///in-process/${builds}/worker.js`), (key) =>
    startInProcess(openSqlite, key),
  );
}
