import type { Command } from "commander";
import type { PluginOptions } from "../plugin.ts";
import { globalOptions } from "./shared.ts";

const PROJECT = "in the .opencode folder of a project, for it alone (default: the working directory)";
const FORCE = "also when somebody changed the installed copy";

export function addPluginCommands(program: Command): void {
  const plugin = program.command("plugin").description("the plugin inside OpenCode that does the pruning");
  plugin
    .command("install")
    .description("put the plugin into the server's plugins folder, and wait until it answers")
    .option("--project [folder]", PROJECT)
    .option("--force", FORCE)
    .action(async (options: PluginOptions, command: Command) => {
      const { installPlugin } = await import("../plugin.ts");
      process.exitCode = await installPlugin({ ...options, ...globalOptions(command) });
    });
  plugin
    .command("update")
    .description("replace an installed plugin by the one that this program brings")
    .option("--project [folder]", PROJECT)
    .option("--force", FORCE)
    .action(async (options: PluginOptions, command: Command) => {
      const { updatePlugin } = await import("../plugin.ts");
      process.exitCode = await updatePlugin({ ...options, ...globalOptions(command) });
    });
  plugin
    .command("status")
    .description("say whether the plugin is there, unchanged, of this version, and answers")
    .option("--project [folder]", PROJECT)
    .action(async (options: PluginOptions, command: Command) => {
      const { showPlugin } = await import("../plugin.ts");
      process.exitCode = await showPlugin({ ...options, ...globalOptions(command) });
    });
  plugin
    .command("remove")
    .description("take the plugin out again; nothing but receipts of what was pruned stays")
    .option("--project [folder]", PROJECT)
    .option("--force", FORCE)
    .action(async (options: PluginOptions, command: Command) => {
      const { removePlugin } = await import("../plugin.ts");
      process.exitCode = await removePlugin({ ...options, ...globalOptions(command) });
    });
}
