import { createPluginLifecycle, type OpenCodeClient, type PluginLifecycle } from "../opencode/index.ts";
import type { PluginState } from "../state/ports.ts";
import { bundledPlugin } from "./bundled-plugin.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { printLines } from "./table.ts";

export function pluginLifecycle(client: OpenCodeClient): PluginLifecycle {
  const source = bundledPlugin();
  return createPluginLifecycle({ client, source });
}

/** `opencode-prune plugin install` */
export async function installPlugin(options: GlobalOptions): Promise<void> {
  const { client } = await openConnection(options);
  const plugin = pluginLifecycle(client);
  const state = await plugin.install();
  if (state.state !== "ready") throw new CommandFailure(problemOf(state));
  printLines([`The plugin is installed in ${await plugin.folder()}, and it answers.`]);
}

/** `opencode-prune plugin status`: exits with 1 when nothing could be pruned now. */
export async function showPlugin(options: GlobalOptions): Promise<number> {
  const { client } = await openConnection(options);
  const state = await pluginLifecycle(client).status();
  if (state.state !== "ready") throw new CommandFailure(problemOf(state));
  printLines([
    state.provider === "ours"
      ? "The plugin is installed, and it answers."
      : "The published session pruning plugin answers; opencode-prune uses it.",
  ]);
  return EXIT.done;
}

/** `opencode-prune plugin remove` */
export async function removePlugin(options: GlobalOptions): Promise<void> {
  const { client } = await openConnection(options);
  const plugin = pluginLifecycle(client);
  const removed = await plugin.remove();
  printLines([
    removed
      ? "The plugin is removed; receipts of what was pruned stay in OpenCode's database."
      : `The plugin is not installed in ${await plugin.folder()}; nothing was removed.`,
  ]);
}

function problemOf(state: PluginState): string {
  if (state.state === "failed") return state.problem;
  return "The plugin is not installed; install it with `opencode-prune plugin install`.";
}
