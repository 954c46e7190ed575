import { cellsOf } from "../../../src/text/index.ts";
import type { Cell, Colour } from "../support/cells.ts";

const CELL = { width: 8.4, height: 19 } as const;
const FONT_SIZE = 14;
/** From the top of a row to the line that letters stand on. */
const BASELINE = 14;
const PADDING = 16;
const FOREGROUND = "#d5dae3";
const BACKGROUND = "#15181e";
const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** The first sixteen colours of the palette, to be read on `BACKGROUND`. */
const PALETTE = [
  ...["#3a404c", "#f0787c", "#8fcf7f", "#e3c078", "#7fb2f5", "#d79be6", "#6fcfd0", "#d5dae3"],
  ...["#6b7382", "#ff9a9e", "#aee69f", "#f5d99a", "#a3ccff", "#ecbcf7", "#96e6e6", "#ffffff"],
] as const;

/**
 * Draws a screen as an SVG of 8.4 by 19 pixels a cell. The text stays text: it can be selected and found, and
 * every run of it is held to the width of its cells, whatever font the reader has.
 */
export function drawSvg(rows: readonly (readonly Cell[])[], title: string): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const width = round(columns * CELL.width + 2 * PADDING);
  const height = round(rows.length * CELL.height + 2 * PADDING);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${FONTS}" font-size="${FONT_SIZE}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    ...rows.flatMap((row, number) => drawRow(row, PADDING + number * CELL.height)),
    "</svg>",
    "",
  ].join("\n");
}

interface Run {
  readonly column: number;
  readonly style: string;
  readonly background: string;
  text: string;
  cells: number;
}

function drawRow(row: readonly Cell[], top: number): string[] {
  const behind = runsOf(row, () => "").filter((run) => run.background !== BACKGROUND);
  return [
    ...behind.map((run) => drawBackground(run, top)),
    ...runsOf(row, styleOf).flatMap((run) => drawText(run, top)),
  ];
}

/** Neighbours of one style and background, together. */
function runsOf(row: readonly Cell[], styleFor: typeof styleOf): Run[] {
  const runs: Run[] = [];
  row.forEach((cell, column) => {
    if (cell.width === 0) return;
    const [text, behind] = cell.isInverse
      ? [colour(cell.background, BACKGROUND), colour(cell.foreground, FOREGROUND)]
      : [colour(cell.foreground, FOREGROUND), colour(cell.background, BACKGROUND)];
    const style = styleFor(cell, text);
    const last = runs.at(-1);
    if (last?.style === style && last.background === behind) {
      last.text += cell.text;
      last.cells += cell.width;
    } else runs.push({ column, style, background: behind, text: cell.text, cells: cell.width });
  });
  return runs;
}

function styleOf({ isBold, isDim, isUnderlined }: Cell, fill: string): string {
  return [
    `fill="${fill}"`,
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' fill-opacity="0.65"' : "",
    isUnderlined ? ' text-decoration="underline"' : "",
  ].join("");
}

function drawBackground({ column, cells, background }: Run, top: number): string {
  return `<rect x="${xOf(column)}" y="${top}" width="${round(cells * CELL.width)}" height="${CELL.height}" fill="${background}"/>`;
}

/** The words of a run, each where it belongs: white space of more than one cell is left out. */
function drawText({ column, style, text }: Run, top: number): string[] {
  return [...text.matchAll(/\S+(?: \S+)*/gu)].map((found) => {
    const from = column + cellsOf(text.slice(0, found.index));
    const length = round(cellsOf(found[0]) * CELL.width);
    return `<text x="${xOf(from)}" y="${top + BASELINE}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escapeXml(found[0])}</text>`;
  });
}

function xOf(column: number): number {
  return round(PADDING + column * CELL.width);
}

function colour(wanted: Colour, otherwise: string): string {
  if (wanted.kind === "default") return otherwise;
  if (wanted.kind === "rgb") return hex(wanted.value);
  const { number } = wanted;
  if (number < 16) return PALETTE[number] ?? otherwise;
  if (number >= 232) return hex((8 + 10 * (number - 232)) * 0x10101);
  const level = (part: number) => (part === 0 ? 0 : 55 + 40 * part);
  const place = number - 16;
  const [red, green, blue] = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level);
  return hex(((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0));
}

function hex(value: number): string {
  return `#${value.toString(16).padStart(6, "0")}`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
