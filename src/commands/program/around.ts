import { Argument, type Command } from "commander";
import { SHELLS, type Shell } from "../completion.ts";
import { examples, globalOptions, sessionOption } from "./shared.ts";

export function addOtherCommands(program: Command): void {
  program
    .command("doctor")
    .description(
      "check everything that pruning needs, and say what to do about what is wrong; changes nothing",
    )
    .addOption(sessionOption("also check what stands against pruning this session"))
    .addHelpText("after", "\nThe output holds nothing private, so that it can be pasted into a bug report.")
    .action(async (_options, command: Command) => {
      const { doctor } = await import("../doctor/index.ts");
      const { session } = command.optsWithGlobals<{ session?: string }>();
      process.exitCode = await doctor({
        ...globalOptions(command),
        ...(session === undefined ? {} : { session }),
      });
    });

  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      examples(
        "opencode-prune completion bash > ~/.local/share/bash-completion/completions/opencode-prune",
        'opencode-prune completion zsh > "$HOME/.zfunc/_opencode-prune"   # a folder of $fpath',
        "opencode-prune completion fish > ~/.config/fish/completions/opencode-prune.fish",
      ),
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import("../completion.ts");
      process.stdout.write(completionScript(program, shell));
    });

  program
    .command("demo")
    .description("open the app on a throwaway OpenCode with sample sessions")
    .option("--smoke", "prune two parts without a terminal, check the result, and end")
    .action(async ({ smoke = false }: { smoke?: boolean }) => {
      const { demo } = await import("../demo.ts");
      await demo({
        smoke,
        openApp: async (connection) => {
          const { openApp } = await import("../tui.ts");
          await openApp(connection);
        },
      });
    });
}
