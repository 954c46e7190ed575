import type { ScreenName, Size } from "../../src/state/index.ts";

export interface CrashCircumstances {
  readonly version: string;
  readonly screens: readonly ScreenName[];
  readonly size: Size;
}

const FRAME = /^ {4}at /;

/**
 * Where a crash happened: versions, the open screens, and the places in the code. An error's message may quote the
 * daemon, so it is left out, and with it every line that could be a part of it.
 */
export function crashReport(error: unknown, { version, screens, size }: CrashCircumstances): string {
  return [
    `opencode-prune ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    `screens: ${screens.join(" > ")}; terminal: ${size.columns} x ${size.rows}`,
    `kind: ${error instanceof Error ? nameOfClass(error) : typeof error}`,
    ...placesOf(error),
    "",
  ].join("\n");
}

function nameOfClass(error: Error): string {
  return /^\w{1,80}$/.exec(error.constructor.name)?.[0] ?? "Error";
}

function placesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const { stack, message } = error;
  const start = stack.indexOf(message);
  if (start === -1) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .filter((line) => FRAME.test(line));
}
