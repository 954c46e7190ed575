import type { AppState, ListName, Rows, ScreenName, Size } from "./app-state.ts";
import type { ListShape } from "./list-view.ts";
import { partRowKey } from "./part-rows.ts";

/** Lines around a screen's body: title, column heads, totals, status, keys. */
export const LINES_AROUND = 5;
/** The frame keeps the terminal's last line free: a full one makes some terminals scroll. */
export const LINES_FREE = 1;
/** Lines under a plan that say what will happen. */
const VERDICT_LINES = 2;
const WITH_VERDICT: ReadonlySet<ScreenName> = new Set(["preview", "cleanup", "interrupted"]);

export function topScreen(state: Pick<AppState, "screens">): ScreenName {
  return state.screens.at(-1) ?? "sessions";
}

/** How many rows of the body a screen can show. */
export function bodyHeight({ size, rows }: Pick<AppState, "size" | "rows">, screen: ScreenName): number {
  const verdict = WITH_VERDICT.has(screen) ? VERDICT_LINES : 0;
  const explanation = needsExplanation(rows, screen) ? explanationLines({ size, rows }, screen) : 0;
  return Math.max(1, size.rows - LINES_FREE - LINES_AROUND - verdict - explanation);
}

/** Whether a screen has rows that do not fit in a line, so that the one under the cursor is explained below. */
export function needsExplanation(rows: Rows, screen: ScreenName): boolean {
  if (screen === "preview") return rows.preview[0]?.kind === "refused";
  if (screen === "cleanup") return rows.cleanup.some((session) => session.refused !== undefined);
  if (screen === "found") return rows.found.length > 0;
  return screen === "help" || (screen === "summary" && rows.summary.length > 0);
}

/** Lines that the longest explanation takes: one more where it names a folder. */
export function explanationLines(
  { size, rows }: Pick<AppState, "size" | "rows">,
  screen: ScreenName,
): number {
  const lines = size.columns < 80 ? 3 : 2;
  return namesFolder(rows, screen) ? lines + 1 : lines;
}

function namesFolder(rows: Rows, screen: ScreenName): boolean {
  if (screen === "cleanup") return rows.cleanup.some(({ refused }) => refused === "folder_unusable");
  if (screen !== "preview" && screen !== "summary") return false;
  for (const row of rows[screen]) {
    // What is refused comes first.
    if (row.kind !== "refused") return false;
    if (row.refusal.reason === "folder_unusable") return true;
  }
  return false;
}

export function isListName(screen: ScreenName): screen is ListName {
  return screen !== "detail" && screen !== "progress" && screen !== "plugin";
}

export function keyOfRow(name: ListName, rows: Rows, index: number): string | undefined {
  if (name === "parts") {
    const row = rows.parts[index];
    return row === undefined ? undefined : partRowKey(row);
  }
  const row = rows[name][index];
  if (row === undefined) return undefined;
  return "key" in row ? row.key : row.sessionID;
}

export function listShape({ size }: Pick<AppState, "size">, name: ListName, rows: Rows): ListShape {
  return {
    length: rows[name].length,
    height: bodyHeight({ size, rows }, name),
    keyAt: (index) => keyOfRow(name, rows, index),
  };
}

/** The row under the cursor of a list. */
export function rowAtCursor<Name extends ListName>(
  state: AppState,
  name: Name,
): Rows[Name][number] | undefined {
  return state.rows[name][state.lists[name].cursor];
}

/** The session that is open, or else the one under the cursor. */
export function sessionAtHand(state: AppState): string | undefined {
  return topScreen(state) === "parts" ? state.parts?.sessionID : rowAtCursor(state, "sessions")?.sessionID;
}

export function isRetryable(state: AppState): boolean {
  return state.summary?.again !== undefined;
}

/** Cells of a row of content: the screen without the margin that marks a match. */
export function detailWidth(size: Size): number {
  return Math.max(2, size.columns - DETAIL_MARGIN);
}

export const DETAIL_MARGIN = 2;

/** Content is being looked through now. */
export function isLooking({ found }: Pick<AppState, "found">): boolean {
  return found?.phase === "searching";
}

/** Something is being deleted now. */
export function isRunning({ work }: Pick<AppState, "work">): boolean {
  return work.kind === "running";
}
