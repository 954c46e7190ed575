import { resolve } from "node:path";
import { changePlugin, createPluginLifecycle, type PluginLifecycle } from "../opencode/index.ts";
import type { ChangedPlugin, PluginInspection } from "../state/ports.ts";
import { bundledPlugin } from "./bundled-plugin.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { untilInterrupted } from "./interruption.ts";
import { pluginLines } from "./plugin-lines.ts";
import { printDocument } from "./print-document.ts";
import { printLines } from "./table.ts";

export interface PluginOptions extends GlobalOptions {
  /** True without a folder: the working directory. */
  readonly project?: string | true;
  readonly force?: boolean;
}

type Action = ChangedPlugin["action"];

/** `opencode-prune plugin install` */
export function installPlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, (plugin, signal) => changePlugin(plugin, "install", options, signal));
}

/** `opencode-prune plugin update`: as install, of what is installed already. */
export function updatePlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, (plugin, signal) => changePlugin(plugin, "update", options, signal));
}

/** `opencode-prune plugin remove` */
export function removePlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, (plugin, signal) => changePlugin(plugin, "remove", options, signal));
}

/** `opencode-prune plugin status`: exits with 1 when nothing could be pruned now. */
export function showPlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, async (plugin, signal) => ({ inspection: await plugin.inspect(signal) }));
}

/** Does what is to be done, and tells where it left the plugin; without an action it was a look only. */
async function withPlugin(
  options: PluginOptions,
  work: (
    plugin: PluginLifecycle,
    signal: AbortSignal,
  ) => Promise<{ readonly inspection: PluginInspection; readonly action?: Action }>,
): Promise<number> {
  const { signal, release } = untilInterrupted();
  try {
    const { client } = await openConnection(options, signal);
    const project = options.project === true ? "." : options.project;
    const plugin = createPluginLifecycle({
      client,
      source: bundledPlugin(),
      project: project === undefined ? undefined : resolve(project),
    });
    const { action, inspection } = await work(plugin, signal);
    const isLook = action === undefined;
    if (options.json) printDocument("plugin", bodyOf(inspection, action ?? "none"));
    else if (isLook && inspection.state.state !== "ready") {
      throw new CommandFailure(pluginLines(inspection, action).join(" "));
    } else printLines(pluginLines(inspection, action));
    return isLook && inspection.state.state !== "ready" ? EXIT.failed : EXIT.done;
  } finally {
    release();
  }
}

function bodyOf(inspection: PluginInspection, action: Action): DocumentBody<"plugin"> {
  const { folder, installed, bundled, observed, state } = inspection;
  return {
    action,
    answers: observed.answers,
    ...(state.state === "ready" ? { provider: state.provider } : {}),
    publishedActive: observed.isPublishedActive,
    folder,
    installed: { content: installed.content, ...installed.copy },
    bundled,
    ...(state.state === "failed" ? { problem: state.problem } : {}),
  };
}
