import type { ChangedPlugin, ChangeOptions, PluginChange, PluginPort, PluginState } from "../state/ports.ts";
import type { OpenCodeClient } from "./client.ts";
import {
  createPluginLifecycle,
  PluginFolderError,
  type PluginLifecycle,
  type PluginLifecycleOptions,
} from "./plugin-lifecycle.ts";

/**
 * Installs, updates or removes the plugin, and tells what was done and where it left the plugin.
 * @throws PluginFolderError where that is refused, and where the plugin does not answer afterwards.
 */
export async function changePlugin(
  plugin: PluginLifecycle,
  change: PluginChange,
  options: ChangeOptions = {},
  signal?: AbortSignal,
): Promise<ChangedPlugin> {
  const action = await (change === "remove"
    ? remove(plugin, options, signal)
    : putInPlace(plugin, change, options, signal));
  return { action, inspection: await plugin.inspect(signal) };
}

async function remove(plugin: PluginLifecycle, options: ChangeOptions, signal?: AbortSignal) {
  return (await plugin.remove(signal, options)) ? "removed" : "none";
}

async function putInPlace(
  plugin: PluginLifecycle,
  change: "install" | "update",
  options: ChangeOptions,
  signal?: AbortSignal,
) {
  const { installed, folder } = await plugin.inspect(signal);
  if (change === "update" && installed.content === "absent") {
    throw new PluginFolderError(
      `The plugin is not installed in ${folder}; install it with \`opencode-prune plugin install\`.`,
    );
  }
  expectReady(await plugin.install(signal, options));
  if (installed.content === "same") return "none";
  return installed.content === "absent" ? "installed" : "updated";
}

function expectReady(state: PluginState): void {
  if (state.state === "ready") return;
  throw new PluginFolderError(
    state.state === "failed"
      ? state.problem
      : "The plugin was installed, but does not answer; restart OpenCode, and look with `opencode-prune plugin status`.",
  );
}

/** The plugin's life as the app sees it: for every project, or for the one that a session belongs to. */
export function createPluginPort(options: Omit<PluginLifecycleOptions, "project">): PluginPort {
  const everywhere = createPluginLifecycle(options);
  const lifecycleFor = async (directory: string | undefined, signal?: AbortSignal) =>
    directory === undefined
      ? everywhere
      : createPluginLifecycle({ ...options, project: await projectOf(options.client, directory, signal) });
  return {
    status: everywhere.status,
    install: (signal) => everywhere.install(signal),
    inspect: async ({ directory }, signal) => (await lifecycleFor(directory, signal)).inspect(signal),
    change: async (change, { directory }, how) => changePlugin(await lifecycleFor(directory), change, how),
  };
}

/** The root of the project that a folder belongs to: its `.opencode` counts in every folder below it. */
async function projectOf(client: OpenCodeClient, directory: string, signal?: AbortSignal): Promise<string> {
  const { project } = await client.location.get({ location: { directory } }, { signal });
  return project.directory;
}
