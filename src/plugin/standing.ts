import { PUBLISHED_PLUGIN_ID } from "../contract/index.ts";
import type { PluginHost, RpcRegistration } from "./host.ts";

/**
 * Keeps the RPC registered, except while the published plugin is active: the last registration of an id wins,
 * and the published one shall. The daemon brings back the registration beneath when the one above is disposed.
 *
 * `ctx.plugin.list()` may be stale while plugins are being loaded, so it is asked again after every
 * `plugin.updated`.
 */
export class Standing {
  #registration: RpcRegistration | undefined;
  #turn: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();

  constructor(
    readonly host: PluginHost,
    readonly register: () => Promise<RpcRegistration>,
  ) {}

  async begin(): Promise<void> {
    void this.#follow();
    await this.#reconsider();
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
    this.#ended.abort();
    await this.#reconsider();
  }

  #reconsider(): Promise<void> {
    this.#turn = this.#turn.then(
      () => this.#settle(),
      () => this.#settle(),
    );
    return this.#turn;
  }

  async #settle(): Promise<void> {
    const shallServe = !this.#ended.signal.aborted && !(await this.#publishedIsActive());
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

  async #follow(): Promise<void> {
    try {
      for await (const event of this.host.event.subscribe({ signal: this.#ended.signal })) {
        if (event.type === "plugin.updated") await this.#reconsider().catch(() => {});
      }
    } catch {
      // Without events the plugin stays as it was decided when it was loaded.
    }
  }
}
