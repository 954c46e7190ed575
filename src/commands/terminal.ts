import { CommandFailure } from "./failure.ts";

/** The app draws on a terminal and reads its keys; both ends must be one. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

export function noTerminal(): CommandFailure {
  return new CommandFailure(
    "The app needs a terminal and this is none; use `opencode-prune sessions`, `parts`, `prune`, `watch` or another of the commands in `--help` here.",
  );
}
