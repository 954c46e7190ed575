import { resolve } from "node:path";
import { createPluginLifecycle, type PluginInspection, type PluginLifecycle } from "../opencode/index.ts";
import type { PluginState } from "../state/ports.ts";
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

type Action = DocumentBody<"plugin">["action"];

/** `opencode-prune plugin install` */
export function installPlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, async (plugin, signal) => {
    const { installed } = await plugin.inspect(signal);
    expectReady(await plugin.install(signal, options));
    if (installed.content === "same") return "none";
    return installed.content === "absent" ? "installed" : "updated";
  });
}

/** `opencode-prune plugin update`: as install, of what is installed already. */
export function updatePlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, async (plugin, signal) => {
    const { installed, folder } = await plugin.inspect(signal);
    if (installed.content === "absent") {
      throw new CommandFailure(
        `The plugin is not installed in ${folder}; install it with \`opencode-prune plugin install\`.`,
      );
    }
    expectReady(await plugin.install(signal, options));
    return installed.content === "same" ? "none" : "updated";
  });
}

/** `opencode-prune plugin remove` */
export function removePlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, async (plugin, signal) =>
    (await plugin.remove(signal, options)) ? "removed" : "none",
  );
}

/** `opencode-prune plugin status`: exits with 1 when nothing could be pruned now. */
export function showPlugin(options: PluginOptions): Promise<number> {
  return withPlugin(options, async () => undefined);
}

/** Does what is to be done, and tells where it left the plugin; undefined is a look only. */
async function withPlugin(
  options: PluginOptions,
  work: (plugin: PluginLifecycle, signal: AbortSignal) => Promise<Action | undefined>,
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
    const action = await work(plugin, signal);
    const inspection = await plugin.inspect(signal);
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
    publishedActive: observed.published?.state.status === "active",
    folder,
    installed: { content: installed.content, ...installed.copy },
    bundled,
    ...(state.state === "failed" ? { problem: state.problem } : {}),
  };
}

function expectReady(state: PluginState): void {
  if (state.state === "ready") return;
  throw new CommandFailure(
    state.state === "failed"
      ? state.problem
      : "The plugin was installed, but does not answer; restart OpenCode, and look with `opencode-prune plugin status`.",
  );
}
