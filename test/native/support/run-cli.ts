import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

/** The executable as `npm run build` makes it. */
export const BUILT_CLI = resolve(import.meta.dirname, "../../../dist/cli.js");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built executable without a terminal, as a script does, and waits for its end. */
export function runCli(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<CliResult> {
  return startCli(args, environment).ended;
}

/** Starts it, for what only ends when it is told to. */
export function startCli(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): { readonly child: ChildProcess; readonly output: () => string; readonly ended: Promise<CliResult> } {
  const child = spawn(process.execPath, [BUILT_CLI, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CliResult>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return { child, output: () => stdout, ended };
}
