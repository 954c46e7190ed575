import { cellsOf, oneLine, pad } from "../../src/text/index.ts";
import type { Style } from "./theme.ts";

/** A piece of a line. Its text may be foreign: laying out a line is what makes it fit for the terminal. */
export interface Segment {
  readonly text: string;
  /** What a screen reader says instead of the text. Empty where the text is only something to look at. */
  readonly spoken?: string;
  readonly style?: Style;
  /** Exactly this many cells. Without it, as many as the text takes. */
  readonly cells?: number;
  /** Takes whatever the others leave. */
  readonly grow?: boolean;
  /** Follows what is before it without a gap. */
  readonly joined?: boolean;
  readonly align?: "start" | "end";
  /** Which end of the text matters when it has to be cut. */
  readonly keep?: "start" | "end";
}

/** A run of text as it goes to the terminal. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** Cells between two segments. */
const GAP = 1;

/**
 * Lays segments out in a line of at most `columns` cells, without spaces at its end, or of exactly so many when it is
 * to be filled. Everything is sanitised here, and nothing else in the app hands text to the terminal.
 */
export function layoutLine(segments: readonly Segment[], columns: number, filled = false): readonly Span[] {
  const shown = segments.filter(
    (segment) => segment.text !== "" || segment.cells !== undefined || segment.grow,
  );
  const texts = shown.map((segment) => oneLine(segment.text, segment.cells ?? columns, segment.keep));
  const widths = shown.map((segment, index) => segment.cells ?? cellsOf(texts[index] ?? ""));
  const gaps = shown.map<number>((segment, index) => (index === 0 || segment.joined ? 0 : GAP));
  const growing = shown.findIndex((segment) => segment.grow);
  if (growing !== -1) {
    const others = widths.reduce((sum, width, index) => (index === growing ? sum : sum + width), 0);
    widths[growing] = Math.max(0, columns - others - gaps.reduce((sum, gap) => sum + gap, 0));
  }
  const spans: Span[] = [];
  let left = columns;
  shown.forEach((segment, index) => {
    const gap = Math.min(gaps[index] ?? 0, left);
    append(spans, { text: " ".repeat(gap), style: "plain" });
    left -= gap;
    const width = Math.min(widths[index] ?? 0, left);
    if (width <= 0) return;
    const text = oneLine(segment.text, width, segment.keep);
    // Where there is nothing to read there is nothing to colour: the cursor's line would show it as a block.
    const style = text === "" ? "plain" : (segment.style ?? "plain");
    append(spans, { text: pad(text, width, segment.align), style });
    left -= width;
  });
  if (filled) append(spans, { text: " ".repeat(Math.max(0, left)), style: "plain" });
  else trimEnd(spans);
  return spans;
}

/** No style makes a space at the end of a line visible. */
function trimEnd(spans: Span[]): void {
  for (;;) {
    const last = spans.pop();
    if (last === undefined) return;
    const text = last.text.trimEnd();
    if (text === "") continue;
    spans.push({ ...last, text });
    return;
  }
}

/** The segments as a screen reader reads them: one after the other, without padding or columns. */
export function spokenLine(segments: readonly Segment[]): string {
  return segments
    .map((segment) => oneLine(segment.spoken ?? segment.text, MAX_SPOKEN, segment.keep).trim())
    .filter(Boolean)
    .join(", ");
}

const MAX_SPOKEN = 500;

function append(spans: Span[], span: Span): void {
  if (span.text === "") return;
  const last = spans.at(-1);
  if (last !== undefined && last.style === span.style) {
    spans[spans.length - 1] = { text: last.text + span.text, style: span.style };
  } else spans.push(span);
}
