import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PRUNING_RPC } from "../../../src/contract/index.ts";
import { isolate } from "../../../src/demo/isolation.ts";
import { BUILT_PLUGIN, type Native, startNative } from "../../native/support/index.ts";
import { requireRuntime } from "../../native/support/pruning-daemon.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A real daemon, and OpenCode's own terminal UI on it through an address that a test can cut. */
export interface OpencodeScreens extends Native {
  readonly gateway: Gateway;
  importSession(sessionID: string, title: string, messages: readonly unknown[]): Promise<void>;
  /** Opens OpenCode's UI on a session, or at its home screen, in a home of its own; waits until it is drawn. */
  open(sessionID?: string): Promise<Terminal>;
  /** Prunes every tool part of a message over HTTP, as any client does. */
  pruneTools(sessionID: string, messageID: string): Promise<void>;
  /** Gives the session a new title: an event that the UI shows at once, behind all that came before it. */
  rename(sessionID: string, title: string): Promise<void>;
}

export interface OpencodeScreensOptions {
  /** What the daemon and the UI load; by default our built plugin with all its entries. */
  readonly plugins?: readonly string[];
}

/** The UI of a loaded machine takes its time to start and to draw. */
export const PATIENCE = 60_000;

export async function startOpencodeScreens(options: OpencodeScreensOptions = {}): Promise<OpencodeScreens> {
  const binary = await requireRuntime();
  const native = await startNative({ plugins: options.plugins ?? [BUILT_PLUGIN] });
  const gateway = await startGateway(native.daemon.port);
  const homes: string[] = [];
  const terminals: Terminal[] = [];
  const { directory } = native;

  /** Waits for a plugin that is just being loaded. */
  const rpc = async (method: string, input: object) => {
    for (const end = Date.now() + PATIENCE; ; await pause(100)) {
      const { status, body } = await native.rpc(PRUNING_RPC, method, directory, input);
      if (body.type === "rpc.unavailable" && Date.now() < end) continue;
      if (status === 200 && body.output.status !== "blocked") return body.output;
      throw new Error(`${method} answered ${status} ${JSON.stringify(body)}`);
    }
  };

  return {
    ...native,
    gateway,
    async importSession(sessionID, title, messages) {
      const time = { created: 1_700_000_000_000, updated: 1_700_000_000_000 };
      const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
      const location = { directory };
      const info = { id: sessionID, projectID: "global", cost: 0, tokens, time, title, location };
      await native.call("POST", "/api/experimental/session/import", { info, messages, location });
    },
    async open(sessionID) {
      const home = await mkdtemp(join(tmpdir(), "opencode-prune-screen-"));
      homes.push(home);
      const { environment } = await isolate(home);
      const terminal = openTerminal({
        program: {
          file: binary,
          arguments: ["--server", gateway.url, ...(sessionID ? ["--session", sessionID] : [])],
        },
        folder: directory,
        rows: 40,
        environment: {
          ...environment,
          OPENCODE_SERVER_PASSWORD: native.daemon.password,
          OPENCODE_DISABLE_MODELS_FETCH: "1",
        },
      });
      terminals.push(terminal);
      await terminal.until("ctrl+p commands", PATIENCE);
      return terminal;
    },
    async pruneTools(sessionID, messageID) {
      const { revision, parts } = await rpc("preview", { sessionID, messageID });
      const indexes = parts.flatMap((part: { index: number; type: string }) =>
        part.type === "tool" ? [part.index] : [],
      );
      await rpc("prune", { sessionID, messageID, revision, indexes });
    },
    async rename(sessionID, title) {
      await native.call("PATCH", `/api/session/${sessionID}`, { title });
    },
    async close() {
      for (const terminal of terminals) await terminal.close();
      await gateway.close();
      await native.close();
      for (const home of homes) await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A copy of our built plugin that serves the daemon alone, without the entry for OpenCode's UI. */
export async function pluginWithoutScreenEntry(folder: string): Promise<string> {
  const copy = join(folder, "opencode-prune");
  await cp(BUILT_PLUGIN, copy, { recursive: true });
  await rm(join(copy, "tui.js"));
  await writeFile(
    join(copy, "package.json"),
    JSON.stringify({ name: "opencode-prune-plugin", type: "module", main: "./index.js" }),
  );
  return copy;
}

/** A completed call of the shell, whose output OpenCode draws under the command. */
export function shellPart(id: string, command: string, output: string) {
  return {
    type: "tool",
    id,
    name: "shell",
    state: {
      status: "completed",
      input: { command },
      content: [{ type: "text", text: output }],
      metadata: { output, exit: 0 },
    },
    time: { created: 1_700_000_001_300, ran: 1_700_000_001_400, completed: 1_700_000_001_500 },
  };
}
