import type { AppContext, Change } from "./app-context.ts";
import type { AppState } from "./app-state.ts";
import { fadeMarks, markChanges } from "./live-changes.ts";
import { messageOf } from "./message-index.ts";
import type { HistorySnapshot, MessageReference, Notice } from "./ports.ts";
import { bodyHeight } from "./screens.ts";

/** Notices that are kept for the events pane. */
const MAX_NOTICES = 1_000;

/** Takes in what happens outside, without moving anything under the user's hands. */
export function watching({ ports, get, now, change, selectionChanged }: AppContext, readDetail: () => void) {
  let noticed = 0;
  let shown: readonly string[] = [];
  const ownPrunes = new Set<string>();

  function takeSnapshot(): void {
    const before = get();
    const history = ports.history.snapshot();
    if (history === before.history) return;
    const openSession = before.parts?.sessionID;
    const taken: Change = {
      history,
      now: now(),
      changes: markChanges(before.changes, before.history, history, openSession, now()),
    };
    const vanished = openSession === undefined ? 0 : reconcileSelection(before, history, openSession);
    if (vanished > 0) selectionChanged({ ...taken, message: { kind: "vanished", parts: vanished } });
    else if (before.selection.version !== before.selection.model.version) selectionChanged(taken);
    else change(taken);
    if (isDetailStale(before, get())) readDetail();
  }

  /**
   * Returns how many parts left the selection because somebody else pruned them. What leaves while a prune of ours runs
   * may be read before its answer is there; its result tells what was refused.
   */
  function reconcileSelection(before: AppState, history: HistorySnapshot, sessionID: string): number {
    const outline = history.outlines.get(sessionID);
    if (outline === undefined || outline === before.history.outlines.get(sessionID)) return 0;
    let byOthers = 0;
    for (const [messageID, parts] of before.selection.model.reconcile(sessionID, outline.messages)) {
      if (!ownPrunes.delete(`${sessionID} ${messageID}`)) byOthers += parts;
    }
    return isBeingPruned(before.work, sessionID) ? 0 : byOthers;
  }

  function takeNotice(notice: Notice): void {
    const { notices, work } = get();
    noticed += 1;
    const kept = notices.length < MAX_NOTICES ? notices : notices.slice(1 - MAX_NOTICES);
    const taken: Change = { notices: [...kept, { number: noticed, notice }], now: now() };
    if (notice.kind !== "pruned") {
      change(taken);
      return;
    }
    if (notice.byUs) takeOwnPrune(notice);
    selectionChanged({ ...taken, work: withOutdated(work, notice) });
  }

  /** The open session's selection is reconciled with what is read natively; another's is not read, and is done. */
  function takeOwnPrune({ sessionID, messageID }: MessageReference): void {
    const { parts, selection } = get();
    if (sessionID !== parts?.sessionID) selection.model.forget(sessionID, messageID);
    else if (selection.model.selects(sessionID, messageID)) ownPrunes.add(`${sessionID} ${messageID}`);
  }

  function tellWhatIsShown(): void {
    const state = get();
    if (state.screens.at(-1) !== "sessions") return;
    const { top } = state.lists.sessions;
    const visible = state.rows.sessions
      .slice(top, top + bodyHeight(state, "sessions"))
      .map((session) => session.sessionID);
    if (visible.length === shown.length && visible.every((id, index) => id === shown[index])) return;
    shown = visible;
    ports.history.show(visible);
  }

  return {
    takeSnapshot,
    takeNotice,
    tellWhatIsShown,
    /** Time passes: ages move on, marks fade. */
    tick() {
      change({ now: now(), changes: fadeMarks(get().changes, now()) });
    },
  };
}

/** Something that a plan was made of changed; what it asks for there will be refused. */
function withOutdated(
  work: AppState["work"],
  changed: { sessionID: string; messageID: string },
): AppState["work"] {
  if (work.kind !== "planned") return work;
  const id =
    work.what === "prune"
      ? work.plan.messages.find(
          (message) => message.messageID === changed.messageID && message.sessionID === changed.sessionID,
        )?.messageID
      : work.plan.sessions.find((session) => session.sessionID === changed.sessionID)?.sessionID;
  return id === undefined ? work : { ...work, outdated: new Set([...work.outdated, id]) };
}

/** Nothing can be selected meanwhile, so what is selected of the session is what is being pruned. */
function isBeingPruned(work: AppState["work"], sessionID: string): boolean {
  if (work.kind !== "running" || work.asked === undefined) return false;
  return work.asked.what === "prune"
    ? work.asked.references.some((part) => part.sessionID === sessionID)
    : work.asked.sessionIDs.includes(sessionID);
}

/** The opened part's message was read again and is not what it was. */
function isDetailStale(before: AppState, after: AppState): boolean {
  const { detail } = after;
  if (detail === undefined || detail !== before.detail) return false;
  const outlineBefore = before.history.outlines.get(detail.sessionID);
  const outlineAfter = after.history.outlines.get(detail.sessionID);
  return messageOf(outlineBefore, detail.messageID) !== messageOf(outlineAfter, detail.messageID);
}
