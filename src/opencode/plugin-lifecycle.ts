import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeOptions, PluginInspection, PluginState } from "../state/ports.ts";
import type { OpenCodeClient } from "./client.ts";
import { AbortedError, OpenCodeError } from "./errors.ts";
import {
  configurationFolderOf,
  copyIn,
  inspectFolder,
  placeFolder,
  pluginFolder,
  projectPluginFolder,
  removeEmpty,
  removeFolder,
} from "./plugin-folder.ts";
import { type ObservedPlugins, observePlugins, pluginState } from "./plugin-state.ts";

export interface PluginLifecycleOptions {
  readonly client: OpenCodeClient;
  /** The folder with the plugin that we bring, as `npm run build` makes it. */
  readonly source: string;
  /** Milliseconds that the daemon has to pick a change up; 15,000 by default. */
  readonly patience?: number;
  /** The folder of a project: the plugin is then for it alone, in its `.opencode`. Absolute. */
  readonly project?: string | undefined;
}

/** Installing, looking at and removing our plugin in the daemon's global plugins folder, or in a project's. */
export interface PluginLifecycle {
  status(signal?: AbortSignal): Promise<PluginState>;
  /** Puts our files in place, over another version too, and waits until the RPC answers. */
  install(signal?: AbortSignal, options?: ChangeOptions): Promise<PluginState>;
  /** Where it is, or would be, installed. */
  folder(signal?: AbortSignal): Promise<string>;
  /** Everything that can be told without a change. */
  inspect(signal?: AbortSignal): Promise<PluginInspection>;
  /** Takes our files away and waits until the daemon let go of them. False when there were none. */
  remove(signal?: AbortSignal, options?: ChangeOptions): Promise<boolean>;
}

/** The plugin's files could not be put in place or taken away. */
export class PluginFolderError extends OpenCodeError {
  override readonly name = "PluginFolderError";
}

const PATIENCE = 15_000;
const PAUSE = 100;

export function createPluginLifecycle(options: PluginLifecycleOptions): PluginLifecycle {
  const { client, source, patience = PATIENCE, project } = options;

  const globalFolder = async (signal?: AbortSignal) => {
    const entries = await client.config.get({}, { signal });
    const path = entries.find((entry) => entry.type === "directory")?.path;
    if (path === undefined) {
      throw new PluginFolderError(
        "The server names no configuration folder; copy the plugin into its plugins folder by hand.",
      );
    }
    return pluginFolder(path);
  };

  const folder = async (signal?: AbortSignal) =>
    project === undefined ? globalFolder(signal) : projectPluginFolder(project);

  const observe = (target: string, signal?: AbortSignal) =>
    observePlugins(client, target, { signal, directory: project });

  const status = async (signal?: AbortSignal) => pluginState(await observe(await folder(signal), signal));

  const inspect = async (signal?: AbortSignal): Promise<PluginInspection> => {
    const target = await folder(signal);
    await checkSource(source);
    const [isLocal, installed, bundled, observed] = await Promise.all([
      globalFolder(signal).then(isOnThisMachine),
      onDisk(target, () => inspectFolder(source, target)),
      copyIn(source),
      observe(target, signal),
    ]);
    return {
      folder: target,
      ...(project === undefined ? {} : { project }),
      isLocal,
      installed,
      bundled,
      observed,
      state: pluginState(observed),
    };
  };

  /** Asks again until the daemon shows what is waited for; undefined when it does not in time. */
  const until = async (
    target: string,
    reached: (plugins: ObservedPlugins) => boolean,
    signal?: AbortSignal,
  ): Promise<ObservedPlugins | undefined> => {
    const end = performance.now() + patience;
    for (;;) {
      const plugins = await observe(target, signal);
      if (reached(plugins)) return plugins;
      if (performance.now() > end) return undefined;
      await sleep(PAUSE, undefined, signal ? { signal } : {}).catch(() => {
        throw new AbortedError("Waiting for the plugin");
      });
    }
  };

  const takeAway = async (target: string, signal?: AbortSignal) => {
    await onDisk(target, () => removeFolder(target));
    if ((await until(target, ({ isFromFolder }) => !isFromFolder, signal)) === undefined) {
      throw new PluginFolderError(
        `The files in ${target} are gone, but OpenCode still runs the plugin; restart OpenCode, and look for another entry of it in its configuration.`,
      );
    }
  };

  const place = (target: string) =>
    onDisk(target, async () => {
      await mkdir(configurationFolderOf(target), { recursive: true });
      await placeFolder(source, target);
    });

  /** What is there, if it may be changed. */
  const changeable = async (target: string, { force, agreed }: ChangeOptions, signal?: AbortSignal) => {
    await checkSource(source);
    await checkLocal(await globalFolder(signal));
    if (project !== undefined) await checkProject(project);
    const { content, copy } = await onDisk(target, () => inspectFolder(source, target));
    if (content === "foreign") throw foreign(target);
    if (content === "changed" && !force && copy?.hash !== agreed) {
      throw agreed === undefined ? changed(target) : changedAgain(target);
    }
    return content;
  };

  const install = async (signal?: AbortSignal, change: ChangeOptions = {}): Promise<PluginState> => {
    const target = await folder(signal);
    const content = await changeable(target, change, signal);
    // The daemon is asked first, since it misses a folder that appears while it loads what it has already.
    const { isFromFolder, elsewhere } = await observe(target, signal);
    if (project !== undefined && content === "absent" && elsewhere !== undefined) throw second(elsewhere);
    const isMissed = content === "same" && !isFromFolder;
    // A daemon whose new copy fails to load goes on running the old one: only without the old one is it told apart.
    const replaces = content === "other_version" || content === "changed" || isMissed;
    try {
      if (replaces) await takeAway(target, signal);
    } catch (error) {
      // Whoever stops here wanted an update, and is not left without a plugin.
      if (error instanceof AbortedError) await place(target);
      throw error;
    }
    if (replaces || content === "absent") await place(target);
    const settled = ({ ours, answers }: ObservedPlugins) =>
      ours?.state.status === "failed" || (ours?.state.status === "active" && answers);
    const plugins = await until(target, settled, signal);
    if (plugins !== undefined) return pluginState(plugins);
    return {
      state: "failed",
      problem: `The plugin is in ${target}, but OpenCode did not pick it up within ${patience / 1000} s; restart OpenCode, and check that it runs on this machine.`,
    };
  };

  const remove = async (signal?: AbortSignal, change: ChangeOptions = {}): Promise<boolean> => {
    const target = await folder(signal);
    if ((await changeable(target, change, signal)) === "absent") return false;
    await takeAway(target, signal);
    // The daemon's own configuration folder is not ours to take away, a project's was made for the plugin.
    await removeEmpty([dirname(target), ...(project === undefined ? [] : [configurationFolderOf(target)])]);
    return true;
  };

  return { folder, status, inspect, install, remove };
}

function foreign(target: string): PluginFolderError {
  return new PluginFolderError(
    `${target} holds something that opencode-prune did not put there; move it away, then try again.`,
  );
}

function changed(target: string): PluginFolderError {
  return new PluginFolderError(
    `The plugin in ${target} was changed since it was installed, and stays as it is; move it away, or replace or remove it with \`opencode-prune plugin update --force\` or \`plugin remove --force\`.`,
  );
}

function changedAgain(target: string): PluginFolderError {
  return new PluginFolderError(
    `The plugin in ${target} was changed again after the question, and stays as it is; look at it, then ask again.`,
  );
}

function second(elsewhere: string): PluginFolderError {
  return new PluginFolderError(
    `The plugin answers in this project already, from ${elsewhere}, and OpenCode loads only one; to have it in this project alone, remove that one first.`,
  );
}

async function checkSource(source: string): Promise<void> {
  if (await isDirectory(source)) return;
  throw new PluginFolderError(
    `The plugin's own files are missing from ${source}; install opencode-prune again, or run \`npm run build\`.`,
  );
}

/** The daemon makes its configuration folder when it starts: where it is not, the daemon is elsewhere. */
function isOnThisMachine(target: string): Promise<boolean> {
  return isDirectory(configurationFolderOf(target));
}

async function checkLocal(target: string): Promise<void> {
  if (await isOnThisMachine(target)) return;
  throw new PluginFolderError(
    `The server keeps its plugins in ${dirname(target)}, which is not on this machine; run this where the server runs.`,
  );
}

async function checkProject(project: string): Promise<void> {
  if (await isDirectory(project)) return;
  throw new PluginFolderError(`There is no folder ${project}; name the folder of a project with --project.`);
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
