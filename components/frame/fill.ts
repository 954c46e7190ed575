/** Stands for the empty lines of a frame. Foreign text cannot hold it: it is one of the characters that are replaced. */
const FILL = "\u{F0000}";

/** A line that stands for as many empty ones as make a frame of `height` lines. */
export function fillMark(height: number): string {
  return FILL + height;
}

/** The lines of a frame, with empty ones in place of the mark, and never more than the height that it names. */
export function filledLines(frame: string): readonly string[] {
  const lines = frame.split("\n");
  const at = lines.findIndex((line) => line.startsWith(FILL));
  const mark = lines[at];
  if (mark === undefined) return lines;
  const height = Number(mark.slice(FILL.length));
  const empty = Math.max(0, height - (lines.length - 1));
  lines.splice(at, 1, ...new Array<string>(empty).fill(""));
  return lines.slice(0, height);
}
