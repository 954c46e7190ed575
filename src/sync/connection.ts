import type { ConnectionState } from "../state/ports.ts";

/**
 * The state of the connection to the daemon's event stream, as a pure machine.
 *
 * ```
 *              opened                 reconciled
 * connecting ─────────► reconciling ─────────────► live
 *     │                   │    ▲                     │
 *     │ ended       ended │    │ opened              │ ended
 *     ▼                   ▼    │                     │
 *     └────────────────► lost ─┼─────────────────────┘
 *                          │   │
 *                    retry ▼   │
 *                      reconnecting ──ended──► lost
 * ```
 *
 * - **connecting**: nothing was ever opened. What is shown, if anything, comes from the cache.
 * - **reconciling**: the stream stands, so nothing that happens from now on is missed; what happened before is
 *   being found out.
 * - **live**: everything that was known before was read again or proved unchanged.
 * - **lost**: the stream ended; the next attempt waits for `retryAt`.
 * - **reconnecting**: that attempt runs.
 *
 * A connection that stood only briefly keeps counting attempts, so that a server which hangs up again and again
 * is not asked for everything four times a second.
 */
export interface Connection extends ConnectionState {
  /** When it became live, in milliseconds since the epoch. */
  readonly liveSince?: number;
}

export type ConnectionEvent =
  | { readonly type: "opened" }
  | { readonly type: "reconciled"; readonly at: number }
  | {
      readonly type: "ended";
      readonly at: number;
      readonly problem: string;
      /** Milliseconds to wait after so many failures in a row. */
      readonly delay: (failures: number) => number;
    }
  | { readonly type: "retry" };

/** A connection that was live for so many milliseconds counts as good: the next loss starts at the first delay. */
export const STEADY_AFTER = 10_000;

export const CONNECTING: Connection = { phase: "connecting", attempt: 0 };

/** The next state. An event that makes no sense in a state leaves it as it is. */
export function connectionAfter(state: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case "opened":
      if (state.phase !== "connecting" && state.phase !== "reconnecting") return state;
      return { phase: "reconciling", attempt: state.attempt };
    case "reconciled":
      if (state.phase !== "reconciling") return state;
      return { phase: "live", attempt: state.attempt, liveSince: event.at };
    case "ended": {
      if (state.phase === "lost") return state;
      const steady = state.liveSince !== undefined && event.at - state.liveSince >= STEADY_AFTER;
      const attempt = steady ? 1 : state.attempt + 1;
      return { phase: "lost", attempt, problem: event.problem, retryAt: event.at + event.delay(attempt) };
    }
    case "retry":
      if (state.phase !== "lost") return state;
      return {
        phase: "reconnecting",
        attempt: state.attempt,
        ...(state.problem === undefined ? {} : { problem: state.problem }),
      };
  }
}

/** What the screen gets to see: `attempt` is 0 while the connection is live. */
export function connectionShown(state: Connection): ConnectionState {
  const { liveSince: _, ...shown } = state;
  return shown.phase === "live" ? { ...shown, attempt: 0 } : shown;
}
