import type { Terminal as Emulator, IBufferCell } from "@xterm/headless";

/** One place of the screen, as a terminal draws it. A wide character takes two; the second has no `width`. */
export interface Cell {
  readonly text: string;
  readonly width: 0 | 1 | 2;
  readonly foreground: Colour;
  readonly background: Colour;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
}

/** A number from 0 to 255 of the terminal's palette, 24 bits of red, green and blue, or the terminal's own. */
export type Colour =
  | { readonly kind: "default" }
  | { readonly kind: "palette"; readonly number: number }
  | { readonly kind: "rgb"; readonly value: number };

/** What the emulator shows now, row by row. */
export function cellsOf(emulator: Emulator): Cell[][] {
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    const cells: Cell[] = [];
    for (let column = 0; column < emulator.cols; column += 1) {
      const cell = line?.getCell(column);
      if (cell) cells.push(cellOf(cell));
    }
    return cells;
  });
}

function cellOf(cell: IBufferCell): Cell {
  return {
    text: cell.getChars() || " ",
    width: cell.getWidth() as Cell["width"],
    foreground: colourOf(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor()),
    background: colourOf(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor()),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isInverse: cell.isInverse() !== 0,
  };
}

function colourOf(isDefault: boolean, isPalette: boolean, value: number): Colour {
  if (isDefault) return { kind: "default" };
  return isPalette ? { kind: "palette", number: value } : { kind: "rgb", value };
}
