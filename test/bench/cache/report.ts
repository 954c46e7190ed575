/** Prints one figure beside what it has to reach; a missed one makes the run fail. */
export function report(what: string, figure: string, wanted: string, reached: boolean): void {
  process.stdout.write(`${reached ? "ok    " : "MISSED"}  ${what}: ${figure} (wanted: ${wanted})\n`);
  if (!reached) process.exitCode = 1;
}

export function note(text: string): void {
  process.stdout.write(`        ${text}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
