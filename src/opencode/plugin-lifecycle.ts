import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PluginPort, PluginState } from "../state/ports.ts";
import type { OpenCodeClient } from "./client.ts";
import { AbortedError, OpenCodeError } from "./errors.ts";
import {
  configurationFolderOf,
  inspectFolder,
  placeFolder,
  pluginFolder,
  removeFolder,
} from "./plugin-folder.ts";
import { type ObservedPlugins, observePlugins, pluginState } from "./plugin-state.ts";

export interface PluginLifecycleOptions {
  readonly client: OpenCodeClient;
  /** The folder with the plugin that we bring, as `npm run build` makes it. */
  readonly source: string;
  /** Milliseconds that the daemon has to pick a change up; 15,000 by default. */
  readonly patience?: number;
}

/** Installing, looking at and removing our plugin in the daemon's global plugins folder. */
export interface PluginLifecycle extends PluginPort {
  /** Where it is, or would be, installed. */
  folder(signal?: AbortSignal): Promise<string>;
  /** Takes our files away and waits until the daemon let go of them. False when there were none. */
  remove(signal?: AbortSignal): Promise<boolean>;
}

/** The plugin's files could not be put in place or taken away. */
export class PluginFolderError extends OpenCodeError {
  override readonly name = "PluginFolderError";
}

const PATIENCE = 15_000;
const PAUSE = 100;

export function createPluginLifecycle(options: PluginLifecycleOptions): PluginLifecycle {
  const { client, source, patience = PATIENCE } = options;

  const folder = async (signal?: AbortSignal) => {
    const entries = await client.config.get({}, { signal });
    const path = entries.find((entry) => entry.type === "directory")?.path;
    if (path === undefined) {
      throw new PluginFolderError(
        "The server names no configuration folder; copy the plugin into its plugins folder by hand.",
      );
    }
    return pluginFolder(path);
  };

  const status = async (signal?: AbortSignal) =>
    pluginState(await observePlugins(client, await folder(signal), { signal }));

  /** Asks again until the daemon shows what is waited for; undefined when it does not in time. */
  const until = async (
    target: string,
    reached: (plugins: ObservedPlugins) => boolean,
    signal?: AbortSignal,
  ): Promise<ObservedPlugins | undefined> => {
    const end = performance.now() + patience;
    for (;;) {
      const plugins = await observePlugins(client, target, { signal });
      if (reached(plugins)) return plugins;
      if (performance.now() > end) return undefined;
      await sleep(PAUSE, undefined, signal ? { signal } : {}).catch(() => {
        throw new AbortedError("Waiting for the plugin");
      });
    }
  };

  const takeAway = async (target: string, signal?: AbortSignal) => {
    await onDisk(target, () => removeFolder(target));
    if ((await until(target, (plugins) => plugins.ours === undefined, signal)) === undefined) {
      throw new PluginFolderError(
        `The files in ${target} are gone, but OpenCode still runs the plugin; restart OpenCode, and look for another entry of it in its configuration.`,
      );
    }
  };

  const install = async (signal?: AbortSignal): Promise<PluginState> => {
    const target = await folder(signal);
    await checkSource(source);
    await checkLocal(target);
    const content = await onDisk(target, () => inspectFolder(source, target));
    if (content === "foreign") throw foreign(target);
    // The daemon is asked first, since it misses a folder that appears while it loads what it has already.
    const { ours } = await observePlugins(client, target, { signal });
    const isMissed = content === "same" && ours === undefined;
    // A daemon whose new copy fails to load goes on running the old one: only without the old one is it told apart.
    if (content === "different" || isMissed) await takeAway(target, signal);
    if (content !== "same" || isMissed) await onDisk(target, () => placeFolder(source, target));
    const settled = (plugins: ObservedPlugins) =>
      plugins.ours?.state.status === "failed" || (plugins.ours?.state.status === "active" && plugins.answers);
    const plugins = await until(target, settled, signal);
    if (plugins !== undefined) return pluginState(plugins);
    return {
      state: "failed",
      problem: `The plugin is in ${target}, but OpenCode did not pick it up within ${patience / 1000} s; restart OpenCode, and check that it runs on this machine.`,
    };
  };

  const remove = async (signal?: AbortSignal): Promise<boolean> => {
    const target = await folder(signal);
    await checkLocal(target);
    const content = await onDisk(target, () => inspectFolder(source, target));
    if (content === "absent") return false;
    if (content === "foreign") throw foreign(target);
    await takeAway(target, signal);
    return true;
  };

  return { folder, status, install, remove };
}

function foreign(target: string): PluginFolderError {
  return new PluginFolderError(
    `${target} holds something that opencode-prune did not put there; move it away, then try again.`,
  );
}

async function checkSource(source: string): Promise<void> {
  if (await isDirectory(source)) return;
  throw new PluginFolderError(
    `The plugin's own files are missing from ${source}; install opencode-prune again, or run \`npm run build\`.`,
  );
}

/** The daemon makes its configuration folder when it starts: where it is not, the daemon is elsewhere. */
async function checkLocal(target: string): Promise<void> {
  if (await isDirectory(configurationFolderOf(target))) return;
  throw new PluginFolderError(
    `The server keeps its plugins in ${dirname(target)}, which is not on this machine; run this where the server runs.`,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function onDisk<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PluginFolderError(
      `${target} could not be changed (${code ?? "unknown reason"}); check the owner and mode of the folders above it.`,
    );
  }
}
