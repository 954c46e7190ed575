import { explainFailure } from "./commands/failure.ts";
import { commandLine } from "./commands/program/index.ts";

declare const __VERSION__: string;

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
  // The open app listens too: it gives the terminal back first, and writes a report.
  if (process.listenerCount("uncaughtException") > 1) return;
  fail(error);
  process.exit();
});

await commandLine(__VERSION__).parseAsync(process.argv).catch(fail);
