import type { MessageReference, Notice } from "../state/ports.ts";
import type { Clock } from "./clock.ts";

/**
 * The event of a prune may come before the answer that tells us that it was ours, or after it, or never. An event
 * waits so many milliseconds for the answer before it is told as somebody else's, and is told once with it.
 */
const WAIT = 1_000;

/** Tells listeners what happened. A prune is told once, and as ours when we asked for it. */
export class Notices {
  readonly #clock: Clock;
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #waiting = new Map<string, { readonly ours: boolean; readonly cancel: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  onNotice(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(notice: Notice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }

  /** The daemon's event told of a prune. */
  prunedByEvent(reference: MessageReference): void {
    this.#pruned(reference, false);
  }

  /** We were answered that our prune was done. */
  prunedByUs(reference: MessageReference): void {
    this.#pruned(reference, true);
  }

  stop(): void {
    for (const { cancel } of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #pruned({ sessionID, messageID }: MessageReference, ours: boolean): void {
    const key = `${sessionID}\n${messageID}`;
    const other = this.#waiting.get(key);
    const at = this.#clock.now();
    const tell = (byUs: boolean) => this.tell({ at, kind: "pruned", sessionID, messageID, byUs });
    if (other) {
      other.cancel();
      this.#waiting.delete(key);
      if (!other.ours) tell(ours);
      if (other.ours !== ours) return;
    }
    if (ours) tell(true);
    const cancel = this.#clock.after(WAIT, () => {
      this.#waiting.delete(key);
      if (!ours) tell(false);
    });
    this.#waiting.set(key, { ours, cancel });
  }
}
