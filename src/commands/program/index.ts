import { Command, CommanderError } from "commander";
import { EXIT_CODES_HELP } from "../exit-codes.ts";
import { isTerminal, noTerminal } from "../terminal.ts";
import type { AppOptions } from "../tui.ts";
import { addOtherCommands } from "./around.ts";
import { addPluginCommands } from "./plugin.ts";
import { addPruneCommand } from "./pruning.ts";
import { addReadingCommands } from "./reading.ts";
import { globalOptions, SHARED_OPTIONS, sessionOption } from "./shared.ts";

/** The command line. Commands load what they need when they run, so that none waits for what only the app uses. */
export function commandLine(version: string): Command {
  const program: Command = new Command("opencode-prune")
    .description(
      "Finds the sessions of OpenCode that are heavy, shows what in them is technical, and prunes what you choose.\nWithout a command it opens the app.",
    )
    .version(version)
    .option(
      "--server <url>",
      "the server; its password comes from OPENCODE_SERVER_PASSWORD (default: the background service)",
    )
    .option("--insecure", "allow plain http beyond this machine, where others can read the password")
    .option("--json", "print JSON of a documented shape (docs/commands.md) instead of text")
    .addOption(sessionOption("open the parts of this session at once"))
    .option("--lang <language>", "the language of the app: en, fr or zh-CN (default: the environment's)")
    .option(
      "--screen-reader",
      "one linear view for a screen reader, without columns (or INK_SCREEN_READER=true)",
    )
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () =>
        program.options.filter((option) => SHARED_OPTIONS.includes(option.long ?? "")),
    })
    .addHelpText("afterAll", EXIT_CODES_HELP)
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) {
        throw new CommanderError(1, "commander.unknownCommand", `unknown command '${unknown}'`);
      }
      if (!isTerminal()) throw noTerminal();
      const { tui } = await import("../tui.ts");
      const { session, lang, screenReader } = command.opts<AppOptions>();
      await tui({
        ...globalOptions(command),
        ...(session === undefined ? {} : { session }),
        ...(lang === undefined ? {} : { lang }),
        ...(screenReader === undefined ? {} : { screenReader }),
      });
    });
  addReadingCommands(program);
  addPruneCommand(program);
  addPluginCommands(program);
  addOtherCommands(program);
  // Inherited from the program, which takes them to name an unknown command.
  for (const command of below(program)) command.allowExcessArguments(false);
  return program;
}

function below(command: Command): readonly Command[] {
  return command.commands.flatMap((one) => [one, ...below(one)]);
}
