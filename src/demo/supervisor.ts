import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A daemon's process under a supervisor of its own. */
export interface SupervisedProcess {
  /** The daemon's own process id. */
  readonly pid: number;
  /** The process has ended, and everything that it started with it. */
  readonly ended: Promise<void>;
  /** Sends the signal, and SIGKILL after a few seconds. Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface SupervisedCommand {
  readonly binary: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Milliseconds between asking it to end and killing it; 5,000 by default. */
  readonly patience?: number;
  /** Called with the output, as it comes. */
  readonly onOutput: (text: string) => void;
}

const PATIENCE = 5_000;

/**
 * Starts a process that cannot outlive this one. A supervisor (a second Node, in a session of its own so that
 * the terminal's signals do not reach it) starts the command and keeps a channel to us. When the channel
 * closes without a word, because we crashed or were killed, it ends the command and removes `folder`.
 * @throws when the command cannot be executed.
 */
export function supervise(command: SupervisedCommand): Promise<SupervisedProcess> {
  const { patience = PATIENCE } = command;
  const supervisor = spawn(process.execPath, ["-e", SOURCE], {
    cwd: command.folder,
    env: command.environment,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => supervisor.once("close", () => resolve()));
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.setEncoding("utf8").on("data", command.onOutput);
  return new Promise((resolve, reject) => {
    supervisor.once("error", reject);
    supervisor.once("exit", () => reject(new Error("its supervisor ended at once")));
    supervisor.once("message", (answer: { pid?: number; failure?: string }) => {
      const pid = answer.pid;
      if (pid === undefined) reject(new Error(answer.failure ?? "it could not be executed"));
      else resolve({ pid, ended, end: (signal) => end(supervisor, pid, signal, patience).then(() => ended) });
    });
    supervisor.send({
      binary: command.binary,
      arguments: command.arguments,
      folder: command.folder,
      patience,
    });
  });
}

async function end(supervisor: ChildProcess, pid: number, signal: NodeJS.Signals, patience: number) {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const exit = once(supervisor, "exit");
  signalProcess(pid, signal);
  const limit = setTimeout(() => signalProcess(pid, "SIGKILL"), patience);
  await exit;
  clearTimeout(limit);
}

function signalProcess(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Run with `node -e`, so that it needs no file of its own beside a bundled executable. */
const SOURCE = `
const { spawn } = require("node:child_process");
const { rmSync } = require("node:fs");
process.once("message", (command) => {
  const child = spawn(command.binary, command.arguments, {
    cwd: command.folder, stdio: ["ignore", "inherit", "inherit"], detached: true,
  });
  const signal = (target, name) => { try { process.kill(target, name); } catch {} };
  let orphaned = false;
  child.once("spawn", () => process.send({ pid: child.pid }));
  child.once("error", (error) => {
    if (process.connected) process.send({ failure: error.message }, () => process.exit(1));
    else process.exit(1);
  });
  child.once("exit", () => {
    signal(-child.pid, "SIGKILL");
    if (orphaned) rmSync(command.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    process.exit(0);
  });
  process.once("disconnect", () => {
    orphaned = true;
    signal(child.pid, "SIGTERM");
    setTimeout(() => signal(-child.pid, "SIGKILL"), command.patience);
  });
});
`;
