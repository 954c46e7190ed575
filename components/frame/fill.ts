/**
 * Stands for the empty lines of a frame. It begins a code that says nothing and takes no cell. Foreign text cannot hold
 * it, since escape characters are replaced there.
 */
const FILL = "\u001b[0;0;";

/** A line that stands for as many empty ones as make a frame of `height` lines. */
export function fillMark(height: number): string {
  return `${FILL}${height}m`;
}

/** The lines of a frame, with empty ones in place of the mark, and never more than the height that it names. */
export function filledLines(frame: string): readonly string[] {
  const lines = frame.split("\n");
  const at = lines.findIndex((line) => line.startsWith(FILL));
  const mark = lines[at];
  if (mark === undefined) return lines;
  const height = Number.parseInt(mark.slice(FILL.length), 10);
  const empty = Math.max(0, height - (lines.length - 1));
  lines.splice(at, 1, ...new Array<string>(empty).fill(""));
  return lines.slice(0, height);
}
