import type { Clock } from "../../../src/sync/index.ts";

/** A clock that a test holds in its hands. Promises settle between timers, as they do in a real event loop. */
export class TestClock implements Clock {
  #now = 1_800_000_000_000;
  #order = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const order = this.#order++;
    this.#timers.set(order, { at: this.#now + Math.max(0, milliseconds), call });
    return () => this.#timers.delete(order);
  }

  /** Resolves after so many milliseconds of this clock; rejects when the signal aborts before. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = this.after(milliseconds, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = this.#earliest(end);
      if (next === undefined) break;
      const timer = this.#timers.get(next);
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, timer?.at ?? 0);
      timer?.call();
      await settled();
    }
    this.#now = end;
  }

  #earliest(end: number): number | undefined {
    let found: number | undefined;
    let at = Number.POSITIVE_INFINITY;
    for (const [order, timer] of this.#timers) {
      if (timer.at <= end && timer.at < at) {
        found = order;
        at = timer.at;
      }
    }
    return found;
  }
}

/** Lets everything run that only waits for promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
