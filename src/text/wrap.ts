import { cellsOfCharacter } from "./cells.ts";
import { sanitise } from "./sanitise.ts";

const TAB_STOP = 4;

/** One line of foreign text, sanitised, with its tabs turned into spaces up to the next stop. */
export function sanitiseLine(raw: string): string {
  if (!raw.includes("\t")) return sanitise(raw);
  let line = "";
  let column = 0;
  for (const [index, stretch] of raw.split("\t").entries()) {
    if (index > 0) {
      const spaces = TAB_STOP - (column % TAB_STOP);
      line += " ".repeat(spaces);
      column += spaces;
    }
    const text = sanitise(stretch);
    line += text;
    for (const character of text) column += cellsOfCharacter(character);
  }
  return line;
}

/** Where each row of sanitised text starts, in UTF-16 units, when no row may be wider than `cells`. Never empty. */
export function wrapStarts(text: string, cells: number): number[] {
  const width = Math.max(2, cells);
  const starts = [0];
  let offset = 0;
  let taken = 0;
  let rowStart = 0;
  let breakAt = 0;
  let takenAtBreak = 0;
  for (const character of text) {
    const wide = cellsOfCharacter(character);
    while (taken + wide > width) {
      const wordStarts = breakAt > rowStart && character !== " ";
      rowStart = wordStarts ? breakAt : offset;
      taken = wordStarts ? taken - takenAtBreak : 0;
      starts.push(rowStart);
    }
    offset += character.length;
    taken += wide;
    if (character === " ") {
      breakAt = offset;
      takenAtBreak = taken;
    }
  }
  return starts;
}
