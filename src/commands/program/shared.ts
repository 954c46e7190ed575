import { type Command, Option } from "commander";
import { ageArgument, countArgument, sizeArgument } from "../arguments.ts";
import type { GlobalOptions } from "../connection.ts";

/** Options that every command takes, before or after its name. They stand in every command's help. */
export const SHARED_OPTIONS = ["--server", "--insecure", "--json"];

export function globalOptions(command: Command): GlobalOptions {
  const { server, insecure, json } = command.optsWithGlobals<GlobalOptions>();
  return {
    ...(server === undefined ? {} : { server }),
    ...(insecure === undefined ? {} : { insecure }),
    ...(json === undefined ? {} : { json }),
  };
}

/** What narrows down which technical parts are meant; the same for a prune and for what it would free. */
export function withFilters(command: Command): Command {
  return command
    .option("--tools", "tool parts (with neither this nor --reasoning: both kinds)")
    .option("--reasoning", "reasoning parts")
    .option("--tool <name...>", "tool parts of these tools")
    .option("--min-size <size>", "parts of this size at least: 900, 50k, 1.5MB, 2MiB", sizeArgument)
    .option("--older-than <age>", "parts older than this: 30min, 12h, 14d, 6w", ageArgument)
    .option("--keep-last <n>", "leave the newest n assistant messages of a session alone", countArgument)
    .option("--message <id...>", "parts of these messages");
}

export function sessionOption(description: string): Option {
  return new Option("--session <id>", description);
}

/** Text below a command's help: examples that can be pasted. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
