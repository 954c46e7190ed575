import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { PRUNING_RPC } from "../../../src/contract/index.ts";
import {
  findRuntime,
  messagesOf,
  type NativeMessage,
  readStoredRows,
  type StoredRow,
  startThrowawayDaemon,
  type ThrowawayDaemon,
  withoutParts,
} from "../../../src/demo/index.ts";
import { type DaemonClient, daemonClient } from "../../native/support/index.ts";
import { runCli } from "../../native/support/run-cli.ts";
import { differences, readDatabase } from "./stored-database.ts";
import { type Condition, openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";

/** A real daemon to open the app on. */
export interface AppDaemon extends DaemonClient {
  readonly daemon: ThrowawayDaemon;
  importSession(sessionID: string, title: string, messages: readonly unknown[]): Promise<void>;
  /** Puts the plugin where a user's `opencode-prune plugin install` puts it. */
  installPlugin(): Promise<void>;
  /**
   * The app in a terminal, as soon as it shows that it is connected, in English unless said otherwise. `server` is
   * the daemon unless given. Whatever an app keeps on disk, the next one does not find it.
   */
  openApp(options?: AppTerminalOptions): Promise<Terminal>;
  /** Prunes as any other client does, over HTTP. */
  prune(sessionID: string, messageID: string, indexes: readonly number[]): Promise<void>;
  messages(sessionID: string): Promise<readonly NativeMessage[]>;
  /** Takes note of all that is stored. */
  remember(): Memory;
  remove(): Promise<void>;
}

export interface AppTerminalOptions extends TerminalOptions {
  readonly server?: string;
  /** More arguments, behind the server. */
  readonly flags?: readonly string[];
  /** What the app shows once it is connected. */
  readonly connected?: Condition;
}

/** What was stored at one moment. */
export interface Memory {
  /** What is stored otherwise now; the plugin's own receipts left out. */
  changes(): readonly string[];
  /** How many receipts were added. */
  receipts(): number;
  /** The bytes that must be stored now if nothing but these parts of the message went. */
  without(messageID: string, indexes: readonly number[]): Buffer;
  /** The stored bytes of every message, its text parts among them. */
  readonly rows: ReadonlyMap<string, StoredRow>;
}

const CONNECTED = /│ live │ plugin: (ready|missing)/;

export async function startAppDaemon(): Promise<AppDaemon> {
  const found = await findRuntime();
  if ("missing" in found) throw new Error(found.missing);
  const daemon = await startThrowawayDaemon({ binary: found.binary });
  const client = daemonClient(daemon);
  const directory = join(daemon.user, "project");
  await mkdir(directory);

  return {
    ...client,
    daemon,
    async importSession(sessionID, title, messages) {
      const time = { created: 1_700_000_000_000, updated: 1_700_000_000_000 };
      const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
      const location = { directory };
      const info = { id: sessionID, projectID: "global", cost: 0, tokens, time, title, location };
      await client.call("POST", "/api/experimental/session/import", { info, messages, location });
    },
    async installPlugin() {
      const { code, stderr } = await runCli(
        ["plugin", "install", "--server", daemon.url],
        daemon.environment,
      );
      if (code !== 0) throw new Error(`The plugin was not installed: ${stderr}`);
    },
    async openApp({ server = daemon.url, flags = [], connected = CONNECTED, ...options } = {}) {
      const kept = await mkdtemp(join(daemon.home, "app-"));
      const folders = { XDG_STATE_HOME: join(kept, "state"), XDG_CACHE_HOME: join(kept, "cache") };
      const terminal = openTerminal({
        arguments: ["--server", server, ...flags],
        ...options,
        environment: { ...daemon.environment, ...folders, ...options.environment },
      });
      await terminal.until(connected, 30_000);
      return terminal;
    },
    async prune(sessionID, messageID, indexes) {
      const preview = await client.rpc(PRUNING_RPC, "preview", directory, { sessionID, messageID });
      const { revision } = preview.body.output;
      const pruned = await client.rpc(PRUNING_RPC, "prune", directory, {
        sessionID,
        messageID,
        revision,
        indexes,
      });
      if (pruned.body.output?.status !== "pruned") throw new Error(JSON.stringify(pruned.body));
    },
    messages: (sessionID) => messagesOf(daemon, sessionID),
    remember: () => remember(daemon.database),
    remove: daemon.remove,
  };
}

function remember(path: string): Memory {
  const database = readDatabase(path);
  const rows = readStoredRows(path);
  const changes = () => differences(database, readDatabase(path));
  return {
    changes: () => changes().filter((change) => !isReceipt(change)),
    receipts: () => changes().filter(isReceipt).length,
    without: (messageID, indexes) =>
      withoutParts(path, rows.get(messageID)?.data ?? Buffer.alloc(0), new Set(indexes)),
    rows,
  };
}

function isReceipt(change: string): boolean {
  return /^opencode_prune_receipt \w+: added$/.test(change);
}
