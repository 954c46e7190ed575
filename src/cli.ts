import { Command, CommanderError } from "commander";
import type { GlobalOptions } from "./commands/connection.ts";
import { EXIT_CODES_HELP } from "./commands/exit-codes.ts";
import { explainFailure } from "./commands/failure.ts";
import { isTerminal, noTerminal } from "./commands/terminal.ts";
import type { AppOptions } from "./commands/tui.ts";

declare const __VERSION__: string;

/** Commands load what they need when they run, so that none waits for what only the app uses. */
function commandLine(): Command {
  const program = new Command("opencode-prune")
    .description(
      "Finds the sessions of OpenCode that are heavy, shows what in them is technical, and prunes what you choose.\nWithout a command it opens the app.",
    )
    .version(__VERSION__)
    .option(
      "--server <url>",
      "the server; its password comes from OPENCODE_SERVER_PASSWORD (default: the background service)",
    )
    .option("--insecure", "allow plain http beyond this machine, where others can read the password")
    .option("--session <id>", "open the parts of this session at once")
    .option("--lang <language>", "the language of the app: en, fr or zh-CN (default: the environment's)")
    .addHelpText("after", EXIT_CODES_HELP)
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) {
        throw new CommanderError(1, "commander.unknownCommand", `unknown command '${unknown}'`);
      }
      if (!isTerminal()) throw noTerminal();
      const { tui } = await import("./commands/tui.ts");
      const { session, lang } = command.opts<AppOptions>();
      await tui({
        ...globalOptions(command),
        ...(session === undefined ? {} : { session }),
        ...(lang === undefined ? {} : { lang }),
      });
    });

  program
    .command("sessions")
    .description("list the sessions of the server, the newest first")
    .action(async (_options, command: Command) => {
      const { sessions } = await import("./commands/sessions.ts");
      await sessions(globalOptions(command));
    });

  program
    .command("parts")
    .description("list the technical parts of a session")
    .argument("<session>", "the id of a session")
    .action(async (session: string, _options, command: Command) => {
      const { parts } = await import("./commands/parts.ts");
      await parts(session, globalOptions(command));
    });

  program
    .command("prune")
    .description("delete the technical parts of a session for good")
    .argument("<session>", "the id of a session")
    .option("--tools", "only tool parts")
    .option("--reasoning", "only reasoning parts")
    .option("--yes", "prune; without it nothing is deleted")
    .action(async (session: string, _options, command: Command) => {
      const { prune } = await import("./commands/prune.ts");
      process.exitCode = await prune(session, command.optsWithGlobals());
    });

  program
    .command("watch")
    .description("print pruned events and connection losses as they come")
    .action(async (_options, command: Command) => {
      const { watch } = await import("./commands/watch.ts");
      await watch(globalOptions(command));
    });

  addPluginCommands(
    program.command("plugin").description("the plugin inside OpenCode that does the pruning"),
  );

  program
    .command("demo")
    .description("open the app on a throwaway OpenCode with sample sessions")
    .option("--smoke", "prune two parts without a terminal, check the result, and end")
    .action(async ({ smoke = false }: { smoke?: boolean }) => {
      const { demo } = await import("./commands/demo.ts");
      await demo({
        smoke,
        openApp: async (connection) => {
          const { openApp } = await import("./commands/tui.ts");
          await openApp(connection);
        },
      });
    });

  return program;
}

function addPluginCommands(plugin: Command): void {
  plugin
    .command("install")
    .description("put the plugin into the server's plugins folder, and wait until it answers")
    .action(async (_options, command: Command) => {
      const { installPlugin } = await import("./commands/plugin.ts");
      await installPlugin(globalOptions(command));
    });
  plugin
    .command("status")
    .description("say whether the plugin is there and answers")
    .action(async (_options, command: Command) => {
      const { showPlugin } = await import("./commands/plugin.ts");
      await showPlugin(globalOptions(command));
    });
  plugin
    .command("remove")
    .description("take the plugin out of the server's plugins folder")
    .action(async (_options, command: Command) => {
      const { removePlugin } = await import("./commands/plugin.ts");
      await removePlugin(globalOptions(command));
    });
}

function globalOptions(command: Command): GlobalOptions {
  const { server, insecure } = command.optsWithGlobals<GlobalOptions>();
  return {
    ...(server === undefined ? {} : { server }),
    ...(insecure === undefined ? {} : { insecure }),
  };
}

/** The one place where a failure becomes a line and an exit code. */
function fail(error: unknown): void {
  const { sentence, exitCode } = explainFailure(error);
  if (sentence !== "") process.stderr.write(`${sentence}\n`);
  process.exitCode = exitCode;
}

// Whoever reads our output may stop reading, as `head` does: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") fail(error);
  process.exit();
});
process.on("uncaughtException", (error) => {
  fail(error);
  process.exit();
});

await commandLine().parseAsync(process.argv).catch(fail);
