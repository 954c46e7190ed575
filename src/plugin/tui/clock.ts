/** Time, so that a test can be its master. */
export interface Clock {
  /** Milliseconds, from any origin. */
  now(): number;
  /** Calls once after so many milliseconds; answers the way to prevent it. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
