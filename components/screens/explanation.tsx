import {
  type AppState,
  explanationLines,
  isListName,
  needsExplanation,
  type RefusalReason,
  rowAtCursor,
  topScreen,
} from "../../src/state/index.ts";
import { wrapStarts } from "../../src/text/index.ts";
import { refusalSentence, type Words } from "../../src/words/index.ts";
import { Line } from "../frame/line.tsx";
import { MARGIN } from "../frame/list.tsx";
import { excerptText } from "./excerpt-text.ts";
import type { ScreenProps } from "./screen.ts";

/** What the row under the cursor has to say at length, below the rows. */
export function Explanation({ state, words }: ScreenProps) {
  const screen = topScreen(state);
  if (!isListName(screen) || !needsExplanation(state.rows, screen)) return null;
  const text = explanationOf({ state, words });
  const starts = wrapStarts(text, state.size.columns - 2);
  return Array.from({ length: explanationLines(state, screen) }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
    <Line key={line} segments={[MARGIN, { text: rowOf(text, starts, line), style: "warning" }]} />
  ));
}

function explanationOf({ state, words }: ScreenProps): string {
  const screen = topScreen(state);
  if (screen === "preview" || screen === "summary") {
    const row = rowAtCursor(state, screen);
    return row?.kind === "refused" ? refusalOf(state, row.refusal.sessionID, row.refusal.reason, words) : "";
  }
  if (screen === "found") {
    const row = rowAtCursor(state, screen);
    return row === undefined ? "" : excerptText(row, words);
  }
  if (screen === "cleanup") {
    const row = rowAtCursor(state, screen);
    return row?.refused === undefined ? "" : refusalOf(state, row.sessionID, row.refused, words);
  }
  const binding = screen === "help" ? rowAtCursor(state, screen)?.binding : undefined;
  return binding === undefined ? "" : words.keyHelp[binding.action];
}

function refusalOf({ history }: AppState, sessionID: string, reason: RefusalReason, words: Words): string {
  return refusalSentence(words, reason, history.sessions.get(sessionID)?.directory ?? "");
}

function rowOf(text: string, starts: readonly number[], row: number): string {
  const start = starts[row];
  return start === undefined ? "" : text.slice(start, starts[row + 1] ?? text.length);
}
