import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PRUNING_RPC } from "../../../src/contract/index.ts";
import { isolate } from "../../../src/demo/isolation.ts";
import { BUILT_PLUGIN } from "../../native/support/index.ts";
import { requireRuntime } from "../../native/support/pruning-daemon.ts";
import { runCli } from "../../native/support/run-cli.ts";
import { type AppDaemon, startAppDaemon } from "./app-daemon.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A real daemon, and OpenCode's own terminal UI on it through an address that a test can cut. */
export interface OpencodeScreens extends AppDaemon {
  readonly gateway: Gateway;
  /** Opens OpenCode's UI on a session, or at its home screen, in a home of its own; waits until it is drawn. */
  open(sessionID?: string): Promise<Terminal>;
  /** Runs our program on the daemon, as a person does beside OpenCode. */
  opencodePrune(...commandLine: readonly string[]): Promise<void>;
  /** Installs our plugin as it serves the daemon, without the entry for OpenCode's UI. */
  installPluginWithoutEntry(): Promise<void>;
  /** Gives the session a new title: an event that the UI shows at once, behind all that came before it. */
  rename(sessionID: string, title: string): Promise<void>;
}

/** The UI of a loaded machine takes its time to start and to draw. */
export const PATIENCE = 60_000;

export async function startOpencodeScreens(): Promise<OpencodeScreens> {
  const binary = await requireRuntime();
  const app = await startAppDaemon();
  const { daemon } = app;
  const gateway = await startGateway(daemon.port);
  const terminals: Terminal[] = [];

  return {
    ...app,
    gateway,
    async open(sessionID) {
      const { environment } = await isolate(await mkdtemp(join(daemon.home, "screen-")));
      const terminal = openTerminal({
        program: {
          file: binary,
          arguments: ["--server", gateway.url, ...(sessionID ? ["--session", sessionID] : [])],
        },
        folder: join(daemon.user, "project"),
        rows: 40,
        environment: {
          ...environment,
          OPENCODE_SERVER_PASSWORD: daemon.password,
          OPENCODE_DISABLE_MODELS_FETCH: "1",
        },
      });
      terminals.push(terminal);
      await terminal.until("ctrl+p commands", PATIENCE);
      return terminal;
    },
    async opencodePrune(...commandLine) {
      const { code, stderr } = await runCli([...commandLine, "--server", daemon.url], daemon.environment);
      if (code !== 0) throw new Error(`opencode-prune ${commandLine.join(" ")} failed: ${stderr}`);
    },
    async installPluginWithoutEntry() {
      const folder = join(daemon.configuration, "plugins", "opencode-prune");
      await cp(BUILT_PLUGIN, folder, { recursive: true, filter: (path) => !path.endsWith("tui.js") });
      await writeFile(join(folder, "package.json"), '{"type": "module", "main": "./index.js"}');
      const nothing = { sessionID: "ses_none", messageID: "msg_none" };
      for (const end = Date.now() + PATIENCE; ; await pause(100)) {
        const { status } = await app.rpc(PRUNING_RPC, "preview", daemon.user, nothing);
        if (status === 200) return;
        if (Date.now() > end) throw new Error("The plugin without its entry was not loaded.");
      }
    },
    async rename(sessionID, title) {
      await app.call("PATCH", `/api/session/${sessionID}`, { title });
    },
    async remove() {
      for (const terminal of terminals) await terminal.close();
      await gateway.close();
      await app.remove();
    },
  };
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
