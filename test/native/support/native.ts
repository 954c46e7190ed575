import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type ConfiguredPlugin,
  type FixtureTool,
  findRuntime,
  fixtureConfiguration,
  messagesOf,
  type ScriptedProvider,
  startProvider,
  startThrowawayDaemon,
  type ThrowawayDaemon,
  writeFixturePlugin,
} from "../../../src/demo/index.ts";
import { type DaemonClient, daemonClient } from "./daemon-client.ts";

/** The plugin as `npm run build` makes it. */
export const BUILT_PLUGIN = resolve(import.meta.dirname, "../../../dist/plugin");

/** A real daemon with a scripted model, and what a test needs to talk to both. */
export interface Native extends DaemonClient {
  readonly daemon: ThrowawayDaemon;
  readonly provider: ScriptedProvider;
  /** A folder to use as a session's location; it has a project of its own. */
  readonly directory: string;
  /** Makes a session in `directory`, sends it one prompt and waits until it has settled. Answers its id. */
  converse(prompt: string): Promise<string>;
  /** The messages of a session, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  messages(sessionID: string): Promise<any[]>;
  /** Ends the daemon and the provider and removes every folder. */
  close(): Promise<void>;
}

export interface NativeOptions {
  /** Plugins besides the fixture's; by default our built one. */
  readonly plugins?: readonly ConfiguredPlugin[];
  /** Tools that the scripted model can call. */
  readonly tools?: readonly FixtureTool[];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startNative(options: NativeOptions = {}): Promise<Native> {
  const found = await findRuntime();
  if ("missing" in found) throw new Error(found.missing);
  const folder = await mkdtemp(join(tmpdir(), "opencode-prune-native-"));
  const directory = join(folder, "project");
  await mkdir(directory);
  const provider = await startProvider();
  const fixture = await writeFixturePlugin(join(folder, "fixture"), options.tools);
  let daemon: ThrowawayDaemon | undefined;
  const close = async () => {
    await daemon?.remove();
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    daemon = await startThrowawayDaemon({
      binary: found.binary,
      config: fixtureConfiguration(provider.url, [fixture, ...(options.plugins ?? [BUILT_PLUGIN])]),
      parent: folder,
      ...(options.environment ? { environment: options.environment } : {}),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const started = daemon;
  const client = daemonClient(started);
  return {
    ...client,
    daemon: started,
    provider,
    directory,
    close,
    async converse(prompt) {
      const created = await client.call("POST", "/api/session", { location: { directory } });
      const id: string = created.data.id;
      await client.call("POST", `/api/session/${id}/prompt`, { text: prompt });
      await client.call("POST", `/api/experimental/session/${id}/wait`);
      return id;
    },
    messages: (sessionID) => messagesOf(started, sessionID),
  };
}
