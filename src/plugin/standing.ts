import { PUBLISHED_PLUGIN_ID } from "../contract/index.ts";
import type { PluginHost, RpcRegistration } from "./host.ts";

/** Milliseconds. Until then both may answer, by the same contract. */
const PAUSE = 2_000;

/**
 * Keeps the RPC registered, except while the published plugin is active: the last registration of an id wins,
 * and the published one shall. The daemon brings back the registration beneath when the one above is disposed.
 *
 * `ctx.plugin.list()` may be stale while plugins are being loaded, and changes later, so it is asked again and
 * again. The daemon also tells of changes; but whoever listens is handed every event of every session, each token
 * among them, and our own events cost a third more.
 */
export class Standing {
  #registration: RpcRegistration | undefined;
  #turn: Promise<void> = Promise.resolve();
  #ended = false;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: PluginHost,
    readonly register: () => Promise<RpcRegistration>,
  ) {}

  async begin(): Promise<void> {
    try {
      await this.#reconsider();
    } finally {
      this.#considerAgain();
    }
  }

  /** Delivers an event on the registration of the moment, if there is one. Best effort: it never fails. */
  async emit(name: string, data: unknown): Promise<void> {
    try {
      await this.#registration?.events.emit(name, data);
    } catch {
      // What was committed stands, whether anybody was told or not.
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#next);
    await this.#reconsider();
  }

  #considerAgain(): void {
    if (this.#ended) return;
    this.#next = setTimeout(async () => {
      await this.#reconsider().catch(() => {});
      this.#considerAgain();
    }, PAUSE);
    this.#next.unref();
  }

  #reconsider(): Promise<void> {
    this.#turn = this.#turn.then(
      () => this.#settle(),
      () => this.#settle(),
    );
    return this.#turn;
  }

  async #settle(): Promise<void> {
    const shallServe = !this.#ended && !(await this.#publishedIsActive());
    if (shallServe && !this.#registration) this.#registration = await this.register();
    if (!shallServe && this.#registration) {
      const registration = this.#registration;
      this.#registration = undefined;
      await registration.dispose();
    }
  }

  async #publishedIsActive(): Promise<boolean> {
    try {
      const { data } = await this.host.plugin.list();
      return data.some((plugin) => plugin.id === PUBLISHED_PLUGIN_ID && plugin.state.status === "active");
    } catch {
      // A daemon that lists no plugins cannot be asked; whoever registers last then serves.
      return false;
    }
  }
}
