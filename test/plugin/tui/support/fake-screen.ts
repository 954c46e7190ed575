import type {
  ScreenCommand,
  ScreenEvent,
  ScreenHost,
  ScreenRoute,
} from "../../../../src/plugin/tui/index.ts";

const PAGE = 3;

/** A message is written as one text that begins with its id: `two`, and `two, pruned` later. */
const idOf = (text: string) => text.split(/[,']/, 1)[0] ?? text;

/**
 * The context that OpenCode's terminal UI hands to `setup`, over a history that a test changes as it likes. It
 * holds pages of it as the real one does: `sync` reads the newest page if what is held was invalidated.
 */
export class FakeScreen implements ScreenHost {
  /** What the daemon has, by session, oldest first. */
  readonly history = new Map<string, string[]>();
  readonly held = new Map<string, string[]>();
  readonly running = new Set<string>();
  readonly loadingOlder = new Set<string>();
  /** Sessions whose reading fails. */
  readonly failing = new Set<string>();
  /** The sessions that were read, in order. */
  readonly reads: string[] = [];
  /** Whether loading older messages brings any. */
  hasOlder = true;
  loadsOfOlder = 0;
  readonly alerts: { readonly title: string; readonly message: string }[] = [];
  readonly commands: ScreenCommand[] = [];
  readonly listeners = new Set<(occurrence: { readonly details: ScreenEvent }) => void>();
  route: ScreenRoute = { type: "home" };
  readsAtOnce = 0;
  mostReadsAtOnce = 0;
  /** What every read waits for after it has looked at the history. */
  delay: () => Promise<void> = async () => {};
  readonly #current = new Set<string>();

  readonly data = {
    listen: (listener: (occurrence: { readonly details: ScreenEvent }) => void) => {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    },
    session: {
      list: () => [...this.held.keys()].map((id) => ({ id })),
      status: (sessionID: string) => (this.running.has(sessionID) ? "running" : "idle"),
      message: {
        list: (sessionID: string) =>
          (this.held.get(sessionID) ?? []).map((text) => ({ id: idOf(text), text })),
        invalidate: (sessionID: string) => void this.#current.delete(sessionID),
        sync: (sessionID: string) => this.#sync(sessionID),
        more: (sessionID: string) => this.#all(sessionID)[0] !== this.held.get(sessionID)?.[0],
        loading: (sessionID: string) => this.loadingOlder.has(sessionID),
        loadMore: async (sessionID: string, options?: { readonly all?: boolean }) => {
          this.loadsOfOlder += 1;
          if (this.loadsOfOlder > 100) throw new Error("Older messages were asked for without an end.");
          if (!this.hasOlder) return;
          const all = this.#all(sessionID);
          const length = this.held.get(sessionID)?.length ?? 0;
          this.held.set(sessionID, all.slice(options?.all ? 0 : -length - PAGE));
        },
      },
    },
  };

  readonly ui = {
    router: { current: () => this.route },
    dialog: {
      alert: async (content: { readonly title: string; readonly message: string }) => {
        this.alerts.push(content);
      },
    },
    slot: ({ render }: { readonly append: string; readonly render: () => null }) => void render(),
  };

  readonly keymap = {
    layer: (describe: () => { readonly commands: readonly ScreenCommand[] }) =>
      void this.commands.push(...describe().commands),
  };

  /** A session of so many messages whose newest page is held. */
  hold(sessionID: string, messages: readonly string[]): void {
    this.history.set(sessionID, [...messages]);
    this.held.set(sessionID, messages.slice(-PAGE));
    this.#current.add(sessionID);
  }

  emit(type: string, data: unknown = {}): void {
    for (const listener of this.listeners) listener({ details: { type, data } });
  }

  /** Somebody prunes: the history changes and its event arrives. */
  prune(sessionID: string, from: string, to: string): void {
    const messages = this.#all(sessionID);
    this.history.set(
      sessionID,
      messages.map((one) => (one === from ? to : one)),
    );
    const event = { sessionID, messageID: idOf(from), revision: "0".repeat(64) };
    this.emit("rpc.codenomad.session-pruning.pruned", event);
  }

  #all(sessionID: string): string[] {
    return this.history.get(sessionID) ?? [];
  }

  async #sync(sessionID: string): Promise<void> {
    if (this.#current.has(sessionID)) return;
    this.#current.add(sessionID);
    this.reads.push(sessionID);
    this.readsAtOnce += 1;
    this.mostReadsAtOnce = Math.max(this.mostReadsAtOnce, this.readsAtOnce);
    const seen = this.#all(sessionID).slice(-PAGE);
    await this.delay();
    this.readsAtOnce -= 1;
    if (this.failing.has(sessionID)) {
      this.#current.delete(sessionID);
      throw new Error("The daemon does not answer.");
    }
    this.held.set(sessionID, seen);
  }
}
