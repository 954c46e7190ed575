import { CommanderError } from "commander";
import { sanitise } from "../text/index.ts";
import { EXIT } from "./exit-codes.ts";

/** A command cannot do what it was asked. The message is one sentence that says why and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

export interface ExplainedFailure {
  /** One line that is safe to print; empty when everything was said already. */
  readonly sentence: string;
  readonly exitCode: number;
}

/** Turns whatever ended a command into one sentence and an exit code. Never a stack trace. */
export function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof CommanderError) return explainUsage(error);
  const exitCode = error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  return { sentence: oneSentence(error instanceof Error ? error.message : String(error)), exitCode };
}

/** `--help` and `--version` end as errors of code 0. */
function explainUsage(error: CommanderError): ExplainedFailure {
  if (error.exitCode === 0) return { sentence: "", exitCode: EXIT.done };
  if (error.code === "commander.help") return { sentence: "", exitCode: EXIT.usage };
  const what = error.message.replace(/^error: /, "").replace(/\.$/, "");
  return {
    sentence: oneSentence(`${capitalised(what)}; see \`opencode-prune --help\`.`),
    exitCode: EXIT.usage,
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const LONGEST = 1_000;

function oneSentence(text: string): string {
  return sanitise(text.slice(0, LONGEST).replace(/\s+/g, " ").trim());
}
