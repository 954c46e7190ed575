import type { Clock } from "./clock.ts";

export interface ReadQueueOptions {
  readonly clock: Clock;
  /** Sessions read at the same time. */
  readonly slots: number;
  /** Of these, how many sessions that nobody looks at may take. */
  readonly backgroundSlots: number;
  /** Reads one session; never rejects. */
  readonly read: (sessionID: string) => Promise<void>;
}

/**
 * Decides which session is read next: those that are followed, then those on the screen in their order, then
 * the rest in the order in which they were asked for. A session is in it once, and is read once at a time.
 */
export class ReadQueue {
  readonly #options: ReadQueueOptions;
  readonly #ready = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #reading = new Map<string, "watched" | "background">();
  #watched: readonly string[] = [];
  #watchedSet: ReadonlySet<string> = new Set();
  #open = false;
  #isNextDue = false;

  constructor(options: ReadQueueOptions) {
    this.#options = options;
  }

  /** The sessions that go first, most urgent first. */
  watch(sessionIDs: readonly string[]): void {
    this.#watched = sessionIDs;
    this.#watchedSet = new Set(sessionIDs);
    this.#next();
  }

  isWatched(sessionID: string): boolean {
    return this.#watchedSet.has(sessionID);
  }

  has(sessionID: string): boolean {
    return this.#ready.has(sessionID) || this.#delayed.has(sessionID);
  }

  /** Reads the session when its turn comes, not before so many milliseconds. An earlier time wins. */
  add(sessionID: string, delay = 0): void {
    if (this.#ready.has(sessionID)) return;
    const at = this.#options.clock.now() + delay;
    const waiting = this.#delayed.get(sessionID);
    if (waiting && waiting.at <= at) return;
    this.#forgetDelay(sessionID);
    if (delay <= 0) {
      this.#ready.add(sessionID);
      this.#next();
      return;
    }
    const cancel = this.#options.clock.after(delay, () => {
      this.#delayed.delete(sessionID);
      this.#ready.add(sessionID);
      this.#next();
    });
    this.#delayed.set(sessionID, { at, cancel });
  }

  remove(sessionID: string): void {
    this.#ready.delete(sessionID);
    this.#forgetDelay(sessionID);
  }

  /** Nothing is started while it is closed. */
  setOpen(open: boolean): void {
    this.#open = open;
    this.#next();
  }

  clear(): void {
    this.#ready.clear();
    for (const sessionID of [...this.#delayed.keys()]) this.#forgetDelay(sessionID);
  }

  #forgetDelay(sessionID: string): void {
    this.#delayed.get(sessionID)?.cancel();
    this.#delayed.delete(sessionID);
  }

  /** Not at once: of several that are added together the most urgent goes first. */
  #next(): void {
    if (this.#isNextDue) return;
    this.#isNextDue = true;
    queueMicrotask(() => {
      this.#isNextDue = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#open) {
      const sessionID = this.#pick();
      if (sessionID === undefined) return;
      this.#ready.delete(sessionID);
      this.#reading.set(sessionID, this.isWatched(sessionID) ? "watched" : "background");
      void this.#options.read(sessionID).finally(() => {
        this.#reading.delete(sessionID);
        this.#next();
      });
    }
  }

  #pick(): string | undefined {
    if (this.#reading.size >= this.#options.slots) return undefined;
    for (const sessionID of this.#watched) {
      if (this.#ready.has(sessionID) && !this.#reading.has(sessionID)) return sessionID;
    }
    let background = 0;
    for (const kind of this.#reading.values()) if (kind === "background") background += 1;
    if (background >= this.#options.backgroundSlots) return undefined;
    for (const sessionID of this.#ready) {
      if (!this.#reading.has(sessionID)) return sessionID;
    }
    return undefined;
  }
}
