import { randomBytes } from "node:crypto";
import type { HostStorage } from "./host.ts";

/** A fresh random row that only the daemon itself can have written. */
export interface Nonce {
  /** The key as `ctx.storage` takes it. */
  readonly name: string;
  /** Key and value as they appear in table `kv`. */
  readonly key: string;
  readonly value: string;
}

/** Milliseconds. A write and a removal together stay below the second within which every call answers. */
const WRITE_LIMIT = 600;
const REMOVAL_LIMIT = 200;
const FIRST_RETRY = 250;
const LAST_RETRY = 30_000;
/** A nonce of this age belongs to no request any more: whoever wrote it was killed. */
const ABANDONED_AFTER = 60_000;

const FOLDER = "identity/";

/** Writes nonces through the daemon, and sees to it that none of them stays. */
export class Identity {
  readonly #prefix: string;
  readonly #retries = new Set<ReturnType<typeof setTimeout>>();
  #swept = false;

  constructor(
    readonly storage: HostStorage,
    pluginID: string,
  ) {
    this.#prefix = `plugin:${utf16Hex(pluginID)}:`;
  }

  /**
   * Writes a nonce. Answers `undefined` when the daemon could not write it, or not in time; one that lands late
   * is removed. Ask only when nobody holds the write lock: the daemon waits for it with its whole event loop.
   */
  async challenge(): Promise<Nonce | undefined> {
    this.#sweepOnce();
    const name = `${FOLDER}${Date.now().toString(36)}-${randomBytes(12).toString("hex")}`;
    const secret = randomBytes(32).toString("hex");
    const nonce = { name, key: this.#prefix + name, value: JSON.stringify(secret) };
    const writing = this.#storageCall(() => this.storage.set(name, secret));
    const outcome = await within(WRITE_LIMIT, writing);
    if (outcome === "done") return nonce;
    void writing.then(() => this.#removeLater(nonce, FIRST_RETRY, () => false));
    return undefined;
  }

  /**
   * Removes a nonce: before it returns where that takes a moment only, in the background while somebody holds
   * the lock. Never fails.
   */
  async release(nonce: Nonce, isLocked: () => boolean): Promise<void> {
    if (isLocked()) return this.#removeLater(nonce, FIRST_RETRY, isLocked);
    const removing = this.#storageCall(() => this.storage.remove(nonce.name));
    const outcome = await within(REMOVAL_LIMIT, removing);
    if (outcome === "failed") this.#removeLater(nonce, FIRST_RETRY, isLocked);
  }

  dispose(): void {
    for (const retry of this.#retries) clearTimeout(retry);
    this.#retries.clear();
  }

  #removeLater(nonce: Nonce, delay: number, isLocked: () => boolean): void {
    const retry = setTimeout(async () => {
      this.#retries.delete(retry);
      const removed =
        !isLocked() && (await this.#storageCall(() => this.storage.remove(nonce.name))) === "done";
      if (!removed) this.#removeLater(nonce, Math.min(delay * 2, LAST_RETRY), isLocked);
    }, delay);
    retry.unref();
    this.#retries.add(retry);
  }

  /** Removes what a killed process left. In the background: no request waits for it. */
  #sweepOnce(): void {
    if (this.#swept) return;
    this.#swept = true;
    void this.#storageCall(async () => {
      const { entries } = await this.storage.scan({ prefix: FOLDER });
      const abandoned = entries.filter(({ key }) => {
        const written = Number.parseInt(key.slice(FOLDER.length), 36);
        return !(Math.abs(Date.now() - written) < ABANDONED_AFTER);
      });
      for (const { key } of abandoned) await this.storage.remove(key);
    });
  }

  async #storageCall(call: () => Promise<unknown>): Promise<"done" | "failed"> {
    try {
      await call();
      return "done";
    } catch {
      return "failed";
    }
  }
}

async function within<Outcome>(limit: number, work: Promise<Outcome>): Promise<Outcome | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function utf16Hex(text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, "0"),
  ).join("");
}
