import type { Clock } from "./clock.ts";

export interface CoalescerOptions {
  readonly clock: Clock;
  /** Does the work for one session. */
  readonly work: (sessionID: string) => Promise<void>;
  /** Whether the work may be done now; while it may not, the session waits. */
  readonly mayWork: (sessionID: string) => boolean;
}

/** Milliseconds from the first request to the work, in which further requests join it. */
export const GATHER = 150;
/** After work that took long the session rests so many times as long, or a cleanup would keep the UI reading. */
export const REST_FACTOR = 2;
/** Work that failed is done again so often; then the next event or connection has to ask for it. */
export const MAX_RETRIES = 4;

/**
 * Turns any number of requests into little work: for each session one at a time, and one more when it was
 * requested meanwhile. No failure leaves it.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #waiting = new Map<string, () => void>();
  readonly #working = new Set<string>();
  readonly #requestedMeanwhile = new Set<string>();
  readonly #failures = new Map<string, number>();
  #stopped = false;

  constructor(options: CoalescerOptions) {
    this.#options = options;
  }

  request(sessionID: string): void {
    if (this.#working.has(sessionID)) this.#requestedMeanwhile.add(sessionID);
    else this.#schedule(sessionID, GATHER);
  }

  /** Starts nothing any more. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #schedule(sessionID: string, delay: number): void {
    if (this.#stopped || this.#waiting.has(sessionID)) return;
    const cancel = this.#options.clock.after(delay, () => {
      this.#waiting.delete(sessionID);
      void this.#turn(sessionID);
    });
    this.#waiting.set(sessionID, cancel);
  }

  async #turn(sessionID: string): Promise<void> {
    const { clock, mayWork, work } = this.#options;
    const begun = clock.now();
    this.#working.add(sessionID);
    let delay: number | undefined;
    try {
      if (mayWork(sessionID)) {
        await work(sessionID);
        this.#failures.delete(sessionID);
      } else delay = GATHER;
    } catch {
      delay = this.#delayAfterFailure(sessionID);
    }
    this.#working.delete(sessionID);
    if (this.#requestedMeanwhile.delete(sessionID))
      delay ??= Math.max(GATHER, REST_FACTOR * (clock.now() - begun));
    if (delay !== undefined) this.#schedule(sessionID, delay);
  }

  /** Undefined when it failed too often. */
  #delayAfterFailure(sessionID: string): number | undefined {
    const failures = (this.#failures.get(sessionID) ?? 0) + 1;
    if (failures > MAX_RETRIES) {
      this.#failures.delete(sessionID);
      return undefined;
    }
    this.#failures.set(sessionID, failures);
    return GATHER * 2 ** failures;
  }
}
