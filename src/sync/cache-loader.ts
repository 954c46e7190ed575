import type { CacheWriter, HistoryCache } from "./cache-writer.ts";
import type { Clock } from "./clock.ts";
import { recordFromCache } from "./record.ts";
import type { Records } from "./records.ts";

/** Sessions that are there for the first frame: the heaviest, which stand on top of the screen. */
const FIRST = 64;
/** Milliseconds for the first frame before the others are loaded. */
const TURN = 16;

export interface CacheLoaderOptions {
  readonly cache: HistoryCache;
  readonly clock: Clock;
  readonly records: Records;
  readonly writer: CacheWriter;
}

/** Brings in what earlier runs knew: the heaviest sessions at once, the rest after the screen had its turn. */
export class CacheLoader {
  readonly #options: CacheLoaderOptions;
  #cancel: (() => void) | undefined;

  constructor(options: CacheLoaderOptions) {
    this.#options = options;
    if (this.#load(FIRST) === FIRST) this.#cancel = options.clock.after(TURN, () => this.finish());
  }

  /** Brings in what is not there yet. To be called before anything is compared with the daemon. */
  finish(): void {
    if (!this.#cancel) return;
    this.stop();
    this.#load();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #load(most?: number): number {
    const { cache, records, writer } = this.#options;
    const found = cache.sessions(most).map(recordFromCache);
    for (const record of found) if (records.add(record)) writer.loaded(record);
    return found.length;
  }
}
