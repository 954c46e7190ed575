/**
 * What the companion uses of the context that OpenCode's terminal UI hands to `setup`. Seen on OpenCode 2.0.15;
 * optional is what the companion can do without.
 */
export interface ScreenHost {
  readonly data: {
    /** Calls `listen` for every event of the daemon. Answers the way to stop. */
    listen(listener: (occurrence: { readonly details: ScreenEvent }) => void): unknown;
    readonly session: {
      /** The sessions whose listing the UI knows. */
      list?(): readonly { readonly id: string }[];
      /** `running` while the session generates. */
      status?(sessionID: string): string;
      readonly message: SessionMessages;
    };
  };
  readonly ui: {
    readonly router?: { current(): ScreenRoute };
    readonly dialog: {
      alert(content: { readonly title: string; readonly message: string }): Promise<unknown>;
    };
    /** Puts a component in a place of the UI; `app` is always there. */
    slot(claim: { readonly append: string; readonly render: () => null }): unknown;
  };
  readonly keymap: {
    /** Only inside a component that is being rendered; what it adds goes with that component. */
    layer(describe: () => { readonly mode: "global"; readonly commands: readonly ScreenCommand[] }): void;
  };
}

/** The messages that the UI holds in memory, by session. */
export interface SessionMessages {
  /** What is loaded, oldest first; empty when nothing is. */
  list(sessionID: string): readonly { readonly id: string }[];
  /** The next `sync` reads afresh, and a read that is on its way does not count as current. */
  invalidate(sessionID: string): void;
  /** Reads the newest page unless it is current, and keeps nothing but that page. */
  sync(sessionID: string): Promise<unknown>;
  /** Whether the daemon has older messages than the loaded ones. */
  more?(sessionID: string): boolean;
  /** Whether older messages are being loaded. */
  loading?(sessionID: string): boolean;
  /** Loads the next page of older messages, or all of them. */
  loadMore?(sessionID: string, options?: { readonly all?: boolean }): Promise<unknown>;
}

export interface ScreenEvent {
  readonly type: string;
  readonly data?: unknown;
}

export interface ScreenRoute {
  readonly type: string;
  /** Set where `type` is `session`. */
  readonly sessionID?: string;
}

export interface ScreenCommand {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly group: string;
  /** Offered in the command palette. */
  readonly palette: true;
  /** Offered as `/name` in the prompt. */
  readonly slash: { readonly name: string };
  run(): void;
}
