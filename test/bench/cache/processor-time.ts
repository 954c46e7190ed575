import { readFileSync } from "node:fs";

/** A tick of Linux's accounting of processor time, in milliseconds. */
const TICK = 10;

/** Milliseconds that a process has taken of the processors so far, all its threads together. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
