import type { AppContext } from "./app-context.ts";
import type { AppState, Prompt, ScreenName } from "./app-state.ts";
import type { findingActions } from "./finding.ts";
import type { interruptedActions } from "./interrupted.ts";
import { type ActionName, bindingFor } from "./key-table.ts";
import { UNTOUCHED } from "./list-view.ts";
import { movingActions } from "./moving.ts";
import type { openingActions } from "./opening.ts";
import { nextPartSort, type PartsShown } from "./part-rows.ts";
import type { pluginActions } from "./plugin-state.ts";
import { promptingActions } from "./prompting.ts";
import type { pruningActions } from "./pruning.ts";
import { isRunning, rowAtCursor, sessionAtHand, topScreen } from "./screens.ts";
import { searchingActions } from "./searching.ts";
import { selectingActions } from "./selecting.ts";
import { nextSessionSort } from "./session-rows.ts";
import { parseCount, parseSize } from "./size-input.ts";

interface Hands {
  readonly context: AppContext;
  readonly opening: ReturnType<typeof openingActions>;
  readonly pruning: ReturnType<typeof pruningActions>;
  readonly plugin: ReturnType<typeof pluginActions>;
  readonly finding: ReturnType<typeof findingActions>;
  readonly interrupted: ReturnType<typeof interruptedActions>;
  readonly onSuspend: (() => void) | undefined;
}

/** From a key to what it does. Which key does what stands in the key table alone. */
export function createDispatch(hands: Hands) {
  const { context, opening, pruning, plugin, finding, interrupted, onSuspend } = hands;
  const { get, change, push, pop } = context;
  const moving = movingActions(context);
  const selecting = selectingActions(context);
  const searching = searchingActions(context);
  const prompting = promptingActions(context, accept);

  function accept(text: string, kind: Prompt["kind"]): boolean {
    switch (kind) {
      case "size":
        return given(parseSize(text), selecting.selectLargerThan);
      case "age":
        return given(parseCount(text), selecting.selectOlderThanNewest);
      case "confirm":
        return pruning.confirmWith(text);
      case "search":
        searching.search(text);
        return true;
      case "content":
      case "sessionContent":
        return finding.start(text);
      case "filter":
        return true;
    }
  }

  function show(shown: PartsShown): void {
    const { parts } = get();
    if (parts !== undefined) change({ parts: { ...parts, shown } });
  }

  /** What Enter opens on each screen. */
  const openOn: Partial<Record<ScreenName, () => void>> = {
    sessions() {
      const session = rowAtCursor(get(), "sessions");
      if (session !== undefined) opening.openSession(session.sessionID);
    },
    parts: opening.openRow,
    preview() {
      const row = rowAtCursor(get(), "preview");
      if (row?.kind === "message") pruning.fold(row.message.messageID);
      if (row?.kind === "part") opening.openPlanned(row.message, row.part);
    },
    summary() {
      const row = rowAtCursor(get(), "summary");
      if (row?.kind === "refused") opening.openMessage(row.refusal);
    },
    found: finding.openFound,
    events() {
      const notice = rowAtCursor(get(), "events")?.notice;
      if (notice?.kind === "pruned") opening.openMessage(notice);
    },
  };

  function backFromPlan(): void {
    pruning.stop();
    pop({ work: { kind: "none" } });
  }

  /** What Esc does on each screen; on the others it only closes them. */
  const backFrom: Partial<Record<ScreenName, () => void>> = {
    sessions: () => prompting.applyFilter(""),
    parts() {
      if (get().parts?.filter !== "") prompting.applyFilter("");
      else {
        opening.closeSession();
        pop({ parts: undefined });
      }
    },
    detail() {
      opening.closeDetail();
      pop({ detail: undefined });
    },
    preview: backFromPlan,
    cleanup: backFromPlan,
    summary: () => pop({ summary: undefined }),
    found: finding.close,
    interrupted: interrupted.close,
    plugin: plugin.close,
  };

  function quit(): void {
    const { leaving } = get();
    if (!isRunning(get())) change({ leaving: "left" });
    else if (leaving === "no") change({ leaving: "asked" });
    else {
      pruning.stop();
      change({ leaving: "stopping" });
      pruning.settled().then(() => change({ leaving: "left" }));
    }
  }

  const actions: Readonly<Record<ActionName, () => void>> = {
    ...moving,
    ...selecting,
    ...searching,
    open: () => openOn[topScreen(get())]?.(),
    choose() {
      const question = selecting.chooseRow();
      if (question !== undefined) prompting.open(question);
    },
    back: () => (backFrom[topScreen(get())] ?? pop)(),
    quit,
    chooseSelection: () => push("select", { lists: { ...get().lists, select: UNTOUCHED } }),
    selectLarger: () => prompting.open("size"),
    selectOlder: () => prompting.open("age"),
    showTools: () => show("tool"),
    showReasoning: () => show("reasoning"),
    showTechnical: () => show("technical"),
    sort() {
      const { parts, sessionSort } = get();
      if (topScreen(get()) === "sessions") change({ sessionSort: nextSessionSort(sessionSort) });
      else if (parts !== undefined) {
        const sort = nextPartSort(parts.sort);
        change({ parts: { ...parts, sort }, partSort: sort });
      }
    },
    filter: () => prompting.open("filter", currentFilter(get())),
    search: () => prompting.open("search", get().detail?.search ?? ""),
    searchContent() {
      const kind = finding.scope() === undefined ? "content" : "sessionContent";
      prompting.open(kind, get().found?.text ?? "");
    },
    stopSearch: finding.stop,
    interrupted: interrupted.show,
    resume: interrupted.askResume,
    discard: interrupted.askDiscard,
    agree: () => (plugin.isAsking() ? plugin.agree() : interrupted.agree()),
    preview: pruning.preview,
    confirm() {
      if (pruning.confirm() === "ask_number") prompting.open("confirm");
    },
    fold() {
      const row = rowAtCursor(get(), "preview");
      if (row !== undefined && row.kind !== "refused") pruning.fold(row.message.messageID);
    },
    clean() {
      const sessionID = sessionAtHand(get());
      if (sessionID !== undefined) pruning.clean([sessionID]);
    },
    cleanShown: () => pruning.clean(get().rows.sessions.map((session) => session.sessionID)),
    stop: pruning.stop,
    retry: pruning.askAgain,
    events: () => push("events"),
    refresh() {
      if (topScreen(get()) === "preview" || topScreen(get()) === "cleanup") pruning.askAgain();
      else if (topScreen(get()) === "plugin") plugin.refresh();
      else {
        context.ports.history.refresh();
        plugin.check();
      }
    },
    install: plugin.install,
    plugin: plugin.show,
    installHere: plugin.installHere,
    update: plugin.update,
    remove: plugin.askRemove,
    switchPlace: plugin.switchPlace,
    help: () =>
      topScreen(get()) === "help" ? pop() : push("help", { lists: { ...get().lists, help: UNTOUCHED } }),
    suspend: () => onSuspend?.(),
    accept: prompting.accept,
    cancel: prompting.cancel,
    erase: prompting.erase,
    eraseAll: prompting.eraseAll,
  };

  return {
    press: (key: string) => context.together(() => press(key)),
    paste: (text: string) => context.together(() => paste(text)),
  };

  function press(key: string): void {
    const state = get();
    if (state.leaving === "stopping" || state.leaving === "left") return;
    const binding = bindingFor(state, key);
    if (state.message !== undefined) change({ message: undefined });
    if (state.leaving === "asked" && binding?.action !== "quit") {
      change({ leaving: "no" });
      return;
    }
    const asking = [interrupted, plugin].find((one) => one.isAsking());
    if (asking !== undefined && binding?.action !== "agree") {
      asking.takeBack();
      return;
    }
    if (binding !== undefined) {
      if (state.prompt === undefined) moving.hold();
      actions[binding.action]();
    } else if (state.prompt !== undefined) prompting.type(textOf(key));
  }

  function paste(text: string): void {
    if (get().prompt !== undefined) prompting.type(text.replace(/\p{Cc}+/gu, " "));
  }
}

function currentFilter({ screens, parts, sessionFilter }: AppState): string {
  return screens.at(-1) === "parts" ? (parts?.filter ?? "") : sessionFilter;
}

/** What a key writes; named keys write nothing. */
function textOf(key: string): string {
  if (key === "space") return " ";
  return [...key].length === 1 ? key : "";
}

function given(value: number | undefined, use: (value: number) => void): boolean {
  if (value === undefined) return false;
  use(value);
  return true;
}
