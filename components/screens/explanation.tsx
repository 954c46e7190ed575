import {
  explanationLines,
  isListName,
  needsExplanation,
  rowAtCursor,
  topScreen,
} from "../../src/state/index.ts";
import { wrapStarts } from "../../src/text/index.ts";
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
  return Array.from({ length: explanationLines(state.size) }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
    <Line key={line} segments={[MARGIN, { text: rowOf(text, starts, line), style: "warning" }]} />
  ));
}

function explanationOf({ state, words }: ScreenProps): string {
  const screen = topScreen(state);
  if (screen === "preview" || screen === "summary") {
    const row = rowAtCursor(state, screen);
    return row?.kind === "refused" ? words.reasons[row.refusal.reason] : "";
  }
  if (screen === "found") {
    const row = rowAtCursor(state, screen);
    return row === undefined ? "" : excerptText(row, words);
  }
  if (screen === "cleanup") {
    const refused = rowAtCursor(state, screen)?.refused;
    return refused === undefined ? "" : words.reasons[refused];
  }
  const binding = screen === "help" ? rowAtCursor(state, screen)?.binding : undefined;
  return binding === undefined ? "" : words.keyHelp[binding.action];
}

function rowOf(text: string, starts: readonly number[], row: number): string {
  const start = starts[row];
  return start === undefined ? "" : text.slice(start, starts[row + 1] ?? text.length);
}
