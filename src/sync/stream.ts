import { backoffDelay, RECONNECT_BACKOFF } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { CONNECTING, type Connection, type ConnectionEvent, connectionAfter } from "./connection.ts";
import type { EventSource, HistoryEvent } from "./source.ts";

export interface StreamOptions {
  readonly events: EventSource;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly chance: () => number;
  /** Milliseconds of silence, heartbeats included, after which a stream counts as lost. */
  readonly silence: number;
  readonly onState: (state: Connection) => void;
  /** The stream stands. The signal aborts when it is lost. */
  readonly onOpened: (signal: AbortSignal) => void;
  readonly onEvent: (event: HistoryEvent) => void;
  readonly onLost: (problem: string) => void;
}

/**
 * Milliseconds between two looks at the clock. Timers stand still while a machine sleeps and the clock does not,
 * so that the first look after it wakes tells how long nothing was heard.
 */
const LOOK = 5_000;

/** Keeps the event stream open: listens, watches over silence, and comes back after every loss. */
export class Stream {
  readonly #options: StreamOptions;
  #state: Connection = CONNECTING;
  #attempt: AbortController | undefined;
  #cancelRetry: (() => void) | undefined;
  #running = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get state(): Connection {
    return this.#state;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#listen();
  }

  stop(): void {
    this.#running = false;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#attempt?.abort();
    this.#attempt = undefined;
  }

  /** Everything that was missed is known now. */
  reconciled(): void {
    this.#step({ type: "reconciled", at: this.#options.clock.now() });
  }

  /** Gives up the stream as if the server had ended it, because what came over the same connection failed. */
  lose(problem: string): void {
    this.#attempt?.abort(new Error(problem));
  }

  /** Tries again at once instead of waiting for the next attempt. */
  retryNow(): void {
    if (!this.#cancelRetry) return;
    this.#cancelRetry();
    this.#retry();
  }

  async #listen(): Promise<void> {
    const { events, onOpened, onEvent } = this.#options;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const watch = this.#watchSilence(attempt);
    let problem: string;
    try {
      await events.listen(attempt.signal, {
        alive: watch.alive,
        opened: () => {
          if (attempt.signal.aborted) return;
          this.#step({ type: "opened" });
          onOpened(attempt.signal);
        },
        event: (event) => {
          if (!attempt.signal.aborted) onEvent(event);
        },
      });
      problem = "the server ended the event stream";
    } catch (error) {
      const reason = attempt.signal.aborted ? attempt.signal.reason : error;
      problem = reason instanceof Error ? reason.message : String(reason);
    } finally {
      watch.stop();
    }
    if (!this.#running) return;
    if (!attempt.signal.aborted) attempt.abort(new Error(problem));
    this.#step({
      type: "ended",
      at: this.#options.clock.now(),
      problem,
      delay: (failures) => backoffDelay(RECONNECT_BACKOFF, failures, this.#options.chance()),
    });
    this.#options.onLost(problem);
    this.#waitForRetry();
  }

  #waitForRetry(): void {
    const { clock } = this.#options;
    const wait = Math.max(0, (this.#state.retryAt ?? clock.now()) - clock.now());
    this.#cancelRetry = clock.after(wait, () => this.#retry());
  }

  #retry(): void {
    this.#cancelRetry = undefined;
    this.#step({ type: "retry" });
    void this.#listen();
  }

  #step(event: ConnectionEvent): void {
    const next = connectionAfter(this.#state, event);
    if (next === this.#state) return;
    this.#state = next;
    this.#options.onState(next);
  }

  #watchSilence(attempt: AbortController): { alive: () => void; stop: () => void } {
    const { clock, silence } = this.#options;
    let heard = clock.now();
    let cancel = () => {};
    const check = () => {
      const quiet = clock.now() - heard;
      if (quiet >= silence) {
        attempt.abort(new Error(`the event stream was silent for ${Math.round(quiet / 1000)} s`));
      } else {
        cancel = clock.after(Math.min(LOOK, silence - quiet), check);
      }
    };
    cancel = clock.after(Math.min(LOOK, silence), check);
    return {
      alive: () => {
        heard = clock.now();
      },
      stop: () => cancel(),
    };
  }
}
