import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import {
  checkNothingLeft,
  type Demo,
  findRuntime,
  pruneAndCheck,
  SmokeError,
  startDemo,
} from "../demo/index.ts";
import { createPluginLifecycle } from "../opencode/index.ts";
import { createPruning } from "../pruning/index.ts";
import { bundledPlugin } from "./bundled-plugin.ts";

/** What keeps the demo from running. The message is one sentence that says what to do. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

/** What the app is opened on. */
export interface DemoConnection {
  readonly client: OpenCodeClient;
  /** The daemon's address. */
  readonly server: string;
  /** With it, whatever the app keeps on disk lies in the throwaway home. */
  readonly environment: NodeJS.ProcessEnv;
  /** Aborts when the demo was told to end; the app then gives the terminal back. */
  readonly signal: AbortSignal;
}

export interface DemoOptions {
  /** One prune without a terminal instead of the app. */
  readonly smoke: boolean;
  /** Opens the app; resolves when the user quits. */
  readonly openApp: (connection: DemoConnection) => Promise<void>;
}

/**
 * The app on a throwaway daemon with sample sessions.
 * Whatever happens, the daemon, its model and their folder are gone afterwards.
 * @throws DemoError or SmokeError, whose message is for the user.
 */
export async function demo({ smoke, openApp }: DemoOptions): Promise<void> {
  if (!smoke && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new DemoError(
      "The demo needs a terminal and this is none; run it in one, or run `opencode-prune demo --smoke`.",
    );
  const runtime = await findRuntime();
  if ("missing" in runtime) throw new DemoError(runtime.missing);
  await (smoke ? smokeDemo(runtime.binary) : appDemo(runtime.binary, openApp));
}

async function appDemo(binary: string, openApp: DemoOptions["openApp"]): Promise<void> {
  process.stdout.write("Starting a throwaway OpenCode with sample sessions …\n");
  await withDemo(binary, async (running, signal) => {
    const client = clientOf(running);
    await installPlugin(client);
    await openApp({ client, server: running.daemon.url, environment: running.daemon.environment, signal });
  });
}

async function smokeDemo(binary: string): Promise<void> {
  let pid = 0;
  let folder = "";
  await withDemo(binary, async (running) => {
    ({ pid, home: folder } = running.daemon);
    const client = clientOf(running);
    const { version } = await client.server.info();
    const { sessions, projects } = running.seeded;
    say(`started: OpenCode ${version} on ${running.daemon.url}, process ${pid}, in ${folder}`);
    say(`seeded: ${sessions} sessions in ${projects} projects, one running, one with a staged revert`);
    say(`installed: the plugin, in ${await installPlugin(client)}`);
    await pruneAndCheck(running, createPruning({ client }), say);
  });
  checkNothingLeft(pid, folder, say);
}

/** Runs `work` on a demo and removes it afterwards, also when a signal ends this process in between. */
async function withDemo(binary: string, work: (demo: Demo, signal: AbortSignal) => Promise<void>) {
  const stopped = new AbortController();
  let running: Promise<Demo> | undefined;
  const remove = async () => (await running?.catch(() => undefined))?.remove();
  const stop = (name: NodeJS.Signals) => {
    stopped.abort(name);
    void remove().finally(() => process.exit(128 + SIGNALS[name as keyof typeof SIGNALS]));
  };
  for (const name of Object.keys(SIGNALS)) process.once(name, stop);
  try {
    running = startDemo(binary);
    await work(await running, stopped.signal);
  } finally {
    await remove();
    for (const name of Object.keys(SIGNALS)) process.removeListener(name, stop);
  }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function clientOf({ daemon }: Demo): OpenCodeClient {
  return OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password) });
}

/** As `opencode-prune plugin install` does. Answers where it is. */
async function installPlugin(client: OpenCodeClient): Promise<string> {
  const source = bundledPlugin();
  const lifecycle = createPluginLifecycle({ client, source });
  const state = await lifecycle.install();
  if (state.state === "failed") throw new SmokeError(state.problem);
  if (state.state !== "ready") throw new SmokeError(`The plugin is ${state.state} after it was installed.`);
  return lifecycle.folder();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
