import { randomBytes } from "node:crypto";
import type { HostStorage } from "./host.ts";

/** How long the daemon may take to write a nonce, in milliseconds. */
const WRITE_LIMIT = 700;

/** A fresh random row that only the daemon itself can have written. */
export interface Nonce {
  /** The key as the plugin gives it to `ctx.storage`. */
  readonly name: string;
  /** Key and value as they appear in table `kv`. */
  readonly key: string;
  readonly value: string;
}

/** Writes nonces through the daemon, and sees to it that none stays. */
export class Identity {
  readonly #prefix: string;

  constructor(
    readonly storage: HostStorage,
    pluginID: string,
  ) {
    this.#prefix = `plugin:${Array.from({ length: pluginID.length }, (_, at) => pluginID.charCodeAt(at).toString(16).padStart(4, "0")).join("")}:`;
  }

  /** Answers `undefined` when the daemon did not write it in time; a late one is removed. */
  async challenge(): Promise<Nonce | undefined> {
    const name = `identity/${randomBytes(12).toString("hex")}`;
    const secret = randomBytes(32).toString("hex");
    const nonce = { name, key: this.#prefix + name, value: JSON.stringify(secret) };
    const written = this.storage.set(name, secret).then(() => true);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), WRITE_LIMIT);
    });
    try {
      if (await Promise.race([written, late])) return nonce;
      written.then(
        () => this.remove(nonce),
        () => {},
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Never fails: a nonce that stays harms nobody. */
  async remove(nonce: Nonce): Promise<void> {
    try {
      await this.storage.remove(nonce.name);
    } catch {
      // Nothing depends on it.
    }
  }
}
