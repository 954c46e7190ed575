import type { StoredMessage } from "../stored-message.ts";

/** Has messages taken apart on another thread; `null` for each that it leaves to whoever asks. */
export type TakeApart = (messageIDs: readonly string[]) => Promise<readonly (StoredMessage | null)[]>;

/** Messages of one question, */
const CHUNK = 16;
/** how many are asked for before they are needed, at most, */
const AHEAD = 96;
/** and how many are needed, on the average, before an answer is there. */
const LEAD = 8;
/** Characters of stored JSON that are held before nothing more is asked for. */
const MOST_HELD = 4 * 1024 * 1024;

/**
 * The messages of a bulk call, taken apart by the reading thread while the daemon's own prunes the ones before.
 * Nobody waits for it: what is not there in time is taken apart by whoever needs it.
 */
export class MessagesAhead {
  readonly #ready = new Map<number, StoredMessage>();
  /** The characters of those. */
  #held = 0;
  /** The places from which on nothing was asked for, and nothing was taken. */
  #asked = 0;
  #taken = 0;
  #isAsking = false;

  constructor(
    readonly messageIDs: readonly string[],
    readonly takeApart: TakeApart,
  ) {}

  /** The message at this place, if it is there already. Places are taken in order. */
  take(place: number): StoredMessage | undefined {
    const message = this.#ready.get(place);
    this.#ready.delete(place);
    this.#held -= message?.text.length ?? 0;
    this.#taken = place + 1;
    void this.#askOn();
    return message;
  }

  /** Nothing is asked for any more. */
  end(): void {
    this.#asked = this.messageIDs.length;
  }

  async #askOn(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let these = this.#next(); these.length > 0; these = this.#next()) {
        const first = this.#asked - these.length;
        const messages = await this.takeApart(these);
        for (const [at, message] of messages.entries()) {
          if (!message || first + at < this.#taken) continue;
          this.#ready.set(first + at, message);
          this.#held += message.text.length;
        }
      }
    } catch {
      // The thread cannot be had; the messages are taken apart without it.
      this.end();
    }
    this.#isAsking = false;
  }

  /** The messages to ask for now: none that is needed before the answer can be there. */
  #next(): readonly string[] {
    const first = Math.max(this.#asked, this.#taken + LEAD);
    if (first + CHUNK > this.#taken + AHEAD || this.#held >= MOST_HELD) return [];
    const these = this.messageIDs.slice(first, first + CHUNK);
    this.#asked = first + these.length;
    return these;
  }
}
