import type { StoreApi } from "zustand/vanilla";
import type { AppState, ListName, Message, Rows, ScreenName } from "./app-state.ts";
import { deriveRows } from "./derive-rows.ts";
import { settle } from "./list-view.ts";
import type { Ports } from "./ports.ts";
import { listShape } from "./screens.ts";

/** What may be changed directly; rows follow from the rest. */
export type Change = Partial<Omit<AppState, "rows">>;

/** What the actions work with: the state, the ports behind it, and the one way to change it. */
export interface AppContext {
  readonly ports: Ports;
  readonly get: () => AppState;
  readonly now: () => number;
  /** Changes the state, then everything that follows from it: rows, cursors, what is on the screen. */
  readonly change: (change: Change) => void;
  /** Everything that changes meanwhile is seen as one change, after it. */
  readonly together: (changes: () => void) => void;
  readonly tell: (message: Message) => void;
  readonly push: (screen: ScreenName, change?: Change) => void;
  readonly pop: (change?: Change) => void;
  readonly selectionChanged: (change?: Change) => void;
}

export function createContext(store: StoreApi<AppState>, ports: Ports, now: () => number): AppContext {
  /** The state so far, while several changes are made together. */
  let draft: AppState | undefined;

  function get(): AppState {
    return draft ?? store.getState();
  }

  function change(change: Change): void {
    const state = arrange(get(), { ...get(), ...change });
    if (draft === undefined) store.setState(state, true);
    else draft = state;
  }

  function together(changes: () => void): void {
    if (draft !== undefined) {
      changes();
      return;
    }
    draft = store.getState();
    try {
      changes();
    } finally {
      const state = draft;
      draft = undefined;
      if (state !== store.getState()) store.setState(state, true);
    }
  }

  return {
    ports,
    get,
    now,
    change,
    together,
    tell: (message) => change({ message }),
    push(screen, more) {
      const below = get().screens.filter((other) => other !== screen);
      change({ ...more, screens: [...below, screen] });
    },
    pop: (more) => change({ ...more, screens: get().screens.slice(0, -1) }),
    selectionChanged(more) {
      const { model } = get().selection;
      change({ ...more, selection: { model, version: model.version } });
    },
  };
}

/** Brings rows and cursors in line with a changed state. */
function arrange(before: AppState, after: AppState): AppState {
  const rows = deriveRows(before, after);
  const lists = { ...after.lists };
  for (const name of Object.keys(rows) as (keyof Rows & ListName)[]) {
    const isTouched =
      rows[name] !== before.rows[name] ||
      after.lists[name] !== before.lists[name] ||
      after.size !== before.size;
    if (isTouched) {
      lists[name] = settle(lists[name], listShape(after, name, rows));
    }
  }
  return { ...after, rows, lists };
}
