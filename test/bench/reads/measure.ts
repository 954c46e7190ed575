import { closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";

/** The shortest of some runs, in milliseconds: what else the machine did is in the longer ones. */
export async function shortest(runs: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Waits until a file is on the disk: else the system writes it while the next thing is measured. */
export function flushToDisk(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** The resident memory of a process, in MiB. */
export function residentMemory(pid: number): number {
  const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

/** The most resident memory, in MiB, that a process had while something was done. */
export async function peakMemory<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<[Result, number]> {
  let peak = residentMemory(pid);
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, 20);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(watch);
  }
}

/** Pings `/api/info` from a thread of its own. */
export class Pings {
  readonly #worker: Worker;

  constructor({ daemon }: PruningDaemon) {
    const authorization = `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`;
    this.#worker = new Worker(new URL("./ping-worker.js", import.meta.url), {
      workerData: { url: daemon.url, authorization },
    });
  }

  /** The delays since the last call, in milliseconds, shortest first. */
  async take(): Promise<number[]> {
    const delays = new Promise<number[]>((resolve) => this.#worker.once("message", resolve));
    this.#worker.postMessage("take");
    return (await delays).sort((one, other) => one - other);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
