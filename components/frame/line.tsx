import { Text } from "ink";
import { memo } from "react";
import { layoutLine, type Segment, spokenLine } from "./layout-line.ts";
import { paintCursor } from "./theme.ts";
import { useView } from "./view-context.ts";

export interface LineProps {
  readonly segments: readonly Segment[];
  /** The cursor is on this line. */
  readonly cursor?: boolean;
}

/** One line of the screen, and the only place that gives text to Ink. */
export const Line = memo(function Line({ segments, cursor = false }: LineProps) {
  const { columns, theme, isLinear } = useView();
  if (isLinear) return <Text>{spokenLine(segments)}</Text>;
  const spans = layoutLine(segments, columns, cursor);
  const painted = spans.map((span) => theme[span.style](span.text)).join("");
  // A text without a character would take no line.
  return <Text wrap="truncate">{cursor ? paintCursor(painted) : painted || " "}</Text>;
}, isSameLine);

function isSameLine(before: LineProps, after: LineProps): boolean {
  return (
    before.cursor === after.cursor &&
    before.segments.length === after.segments.length &&
    before.segments.every((segment, index) => isSameSegment(segment, after.segments[index]))
  );
}

function isSameSegment(one: Segment, other: Segment | undefined): boolean {
  return (
    one.text === other?.text &&
    one.spoken === other.spoken &&
    one.style === other.style &&
    one.cells === other.cells &&
    one.grow === other.grow &&
    one.align === other.align &&
    one.joined === other.joined &&
    one.keep === other.keep
  );
}
