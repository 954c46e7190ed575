import { createStore, type StoreApi } from "zustand/vanilla";
import { type AppContext, createContext } from "./app-context.ts";
import type { AppState, Size } from "./app-state.ts";
import { NO_ROWS } from "./derive-rows.ts";
import { createDispatch } from "./dispatch.ts";
import { findingActions } from "./finding.ts";
import { interruptedActions } from "./interrupted.ts";
import { UNTOUCHED } from "./list-view.ts";
import { openingActions } from "./opening.ts";
import { pluginActions } from "./plugin-state.ts";
import type { Ports } from "./ports.ts";
import { pruningActions, SHOWN_AFTER } from "./pruning.ts";
import { Selection } from "./selection.ts";
import { watching } from "./watching.ts";

export interface AppOptions {
  readonly size: Size;
  /** Opens this session's parts at once. */
  readonly sessionID?: string;
  /** Milliseconds since the epoch; the machine's clock unless given. */
  readonly now?: () => number;
  /** Called where the user asks to be put in the background. Absent where that is not possible. */
  readonly onSuspend?: () => void;
}

/** The running app without its screen: the state, and the three things that can happen to it from outside. */
export interface App {
  readonly store: StoreApi<AppState>;
  /** A key was pressed. */
  readonly press: (key: string) => void;
  /** Text was pasted: input for a prompt, and nothing anywhere else. */
  readonly paste: (text: string) => void;
  readonly resize: (size: Size) => void;
  /** Stops what can be stopped, remembers what is to be remembered, and lets go of the ports. */
  readonly close: () => void;
}

const TICK = 1_000;
/** Milliseconds between two looks for interrupted cleanups. */
const CHECKED_EVERY = 5_000;

export function createApp(ports: Ports, options: AppOptions): App {
  const now = options.now ?? Date.now;
  const store = createStore<AppState>()(() => initialState(ports, options, now()));
  const context = createContext(store, ports, now);
  const opening = openingActions(context);
  const pruning = pruningActions(context);
  const plugin = pluginActions(context);
  const finding = findingActions(context, opening);
  const interrupted = interruptedActions(context, pruning);
  const watch = watching(context, opening.readDetail);
  const { press, paste } = createDispatch({
    context,
    opening,
    pruning,
    plugin,
    finding,
    interrupted,
    onSuspend: options.onSuspend,
  });

  const ticking = setInterval(() => {
    if (isTimeVisible(store.getState(), now())) watch.tick();
  }, SHOWN_AFTER);
  ticking.unref();
  const checking = setInterval(interrupted.check, CHECKED_EVERY);
  checking.unref();
  const stops = [
    ports.history.onChange(watch.takeSnapshot),
    ports.history.onNotice((notice) => {
      watch.takeNotice(notice);
      if (notice.kind === "pruned") finding.forget(notice);
      if (notice.kind === "connected") {
        plugin.check();
        plugin.look();
      }
    }),
    ports.cleanup?.onProblem?.((problem) => {
      watch.takeNotice({ at: now(), kind: "problem", problem });
      context.tell({ kind: "problem", text: problem });
    }),
    store.subscribe(watch.tellWhatIsShown),
    () => clearInterval(ticking),
    () => clearInterval(checking),
    finding.stop,
    opening.closeSession,
    opening.closeDetail,
    pruning.stop,
  ];

  recall(ports, store, context);
  // The first frame can do without what asks the server or looks into a file.
  queueMicrotask(plugin.check);
  queueMicrotask(interrupted.check);
  watch.takeSnapshot();
  watch.tellWhatIsShown();
  if (options.sessionID !== undefined) openFirst(options.sessionID, context, opening);

  return {
    store,
    press,
    paste,
    resize: (size) => context.change({ size }),
    close() {
      remember(ports, store.getState());
      for (const stop of stops) stop?.();
    },
  };
}

/** Opens the session that was asked for, unless the server is known not to have it. */
function openFirst(
  sessionID: string,
  { get, tell }: AppContext,
  opening: ReturnType<typeof openingActions>,
): void {
  const { listed, sessions } = get().history;
  if (listed && !sessions.has(sessionID)) tell({ kind: "no_such_session", text: sessionID });
  else opening.openSession(sessionID);
}

/** Whether something on the screen shows the time that passes. */
function isTimeVisible(state: AppState, now: number): boolean {
  if (state.work.kind === "planning" || state.work.kind === "running") return true;
  if (state.detail?.phase === "reading" || state.changingPlugin !== undefined || state.changes.size > 0)
    return true;
  if (state.history.connection.retryAt !== undefined) return now - state.now >= TICK;
  return now - state.now >= 15 * TICK;
}

function recall(ports: Ports, store: StoreApi<AppState>, { change }: AppContext): void {
  const remembered = ports.preferences?.load(ports.history.snapshot().server);
  if (remembered === undefined) return;
  const { sessionSort, sessionFilter, sessionID, partSort } = remembered;
  const { lists } = store.getState();
  change({
    sessionSort,
    sessionFilter,
    partSort,
    lists: sessionID === undefined ? lists : { ...lists, sessions: { ...UNTOUCHED, key: sessionID } },
  });
}

function remember(ports: Ports, { history, sessionSort, sessionFilter, partSort, lists }: AppState): void {
  const { key } = lists.sessions;
  ports.preferences?.save(history.server, {
    sessionSort,
    sessionFilter,
    partSort,
    ...(key === undefined ? {} : { sessionID: key }),
  });
}

function initialState(ports: Ports, { size, onSuspend }: AppOptions, now: number): AppState {
  return {
    size,
    now,
    history: { ...ports.history.snapshot(), listed: false, sessions: new Map(), outlines: new Map() },
    plugin: { state: "unknown" },
    changingPlugin: undefined,
    canClean: ports.cleanup !== undefined,
    canResume: ports.cleanup?.interrupted !== undefined,
    canSearch: ports.search !== undefined,
    canSuspend: onSuspend !== undefined,
    screens: ["sessions"],
    sessionSort: "technical",
    sessionFilter: "",
    partSort: "oldest",
    parts: undefined,
    selection: { model: new Selection(), version: 0 },
    detail: undefined,
    work: { kind: "none" },
    summary: undefined,
    found: undefined,
    interrupted: { jobs: [], isPutOff: false },
    pluginView: undefined,
    prompt: undefined,
    message: undefined,
    notices: [],
    rows: NO_ROWS,
    lists: {
      sessions: UNTOUCHED,
      parts: UNTOUCHED,
      select: UNTOUCHED,
      preview: UNTOUCHED,
      cleanup: UNTOUCHED,
      interrupted: UNTOUCHED,
      summary: UNTOUCHED,
      found: UNTOUCHED,
      events: UNTOUCHED,
      help: UNTOUCHED,
    },
    changes: new Map(),
    leaving: "no",
  };
}
