export interface Backoff {
  /** Milliseconds before the second attempt, on average three quarters of it. */
  readonly first: number;
  /** Milliseconds that no wait exceeds. */
  readonly longest: number;
}

export const RECONNECT_BACKOFF: Backoff = { first: 250, longest: 15_000 };
export const READ_BACKOFF: Backoff = { first: 500, longest: 30_000 };

/**
 * How long to wait after so many failures in a row: doubling, with the upper half left to chance, so that many
 * clients of one restarted daemon do not come back at the same moment.
 *
 * @param chance from 0 up to 1
 * @returns milliseconds
 */
export function backoffDelay(backoff: Backoff, failures: number, chance: number): number {
  const full = Math.min(backoff.longest, backoff.first * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return Math.round(full / 2 + (full / 2) * chance);
}
