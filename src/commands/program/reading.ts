import type { Command } from "commander";
import { countArgument } from "../arguments.ts";
import type { FilterFlags } from "../filter-flags.ts";
import { examples, globalOptions, sessionOption, withFilters } from "./shared.ts";

/** The commands that only look. */
export function addReadingCommands(program: Command): void {
  program
    .command("sessions")
    .description("list the sessions of the server, the newest first")
    .action(async (_options, command: Command) => {
      const { sessions } = await import("../sessions.ts");
      await sessions(globalOptions(command));
    });

  program
    .command("parts")
    .description("list the technical parts of a session, the oldest first")
    .argument("<session>", "the id of a session")
    .action(async (session: string, _options, command: Command) => {
      const { parts } = await import("../parts.ts");
      await parts(session, globalOptions(command));
    });

  program
    .command("show")
    .description("print what a message holds, or one part of it")
    .argument("<message>", "the id of a message")
    .option("--part <n>", "only the part at this position, as `parts` lists it", countArgument)
    .addOption(sessionOption("the session that has the message; without it every session is asked"))
    .action(async (message: string, _options, command: Command) => {
      const { show } = await import("../show.ts");
      const { session, part } = command.optsWithGlobals<{ session?: string; part?: number }>();
      await show(message, {
        ...globalOptions(command),
        ...(session === undefined ? {} : { session }),
        ...(part === undefined ? {} : { part }),
      });
    });

  program
    .command("search")
    .description("find a text in the history, literally and in upper and lower case alike")
    .argument("<text>", "what to look for, at most 200 characters")
    .addOption(sessionOption("only in this session"))
    .option("--text-only", "not in tool and reasoning parts")
    .option("--limit <n>", "end after so many hits (default: 100)", countArgument)
    .action(async (text: string, _options, command: Command) => {
      const { search } = await import("../search.ts");
      const { session, textOnly, limit } = command.optsWithGlobals<{
        session?: string;
        textOnly?: boolean;
        limit?: number;
      }>();
      process.exitCode = await search(text, {
        ...globalOptions(command),
        ...(session === undefined ? {} : { session }),
        ...(textOnly === undefined ? {} : { textOnly }),
        ...(limit === undefined ? {} : { limit }),
      });
    });

  withFilters(
    program
      .command("stats")
      .description(
        "what is technical, by project, tool and month, and what a prune with these filters frees",
      ),
  )
    .addHelpText("after", examples("opencode-prune stats --tools --older-than 14d --min-size 50k"))
    .action(async (flags: FilterFlags, command: Command) => {
      const { stats } = await import("../stats.ts");
      process.exitCode = await stats({ ...flags, ...globalOptions(command) });
    });

  program
    .command("watch")
    .description("print pruned events, connection losses and what was missed in them, as they come")
    .addHelpText(
      "after",
      "\nText on a terminal; with --json, or in a pipe, one JSON document a line.\nIt comes back after every loss, and ends with ctrl-c.",
    )
    .action(async (_options, command: Command) => {
      const { watch } = await import("../watch.ts");
      await watch(globalOptions(command));
    });
}
