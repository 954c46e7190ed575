import stringWidth from "string-width";
import { NARROW } from "./narrow.ts";
import { sanitise } from "./sanitise.ts";

const ELLIPSIS = "…";
const ASCII = /^[\x20-\x7e]*$/;
/** Asking string-width compiles an expression for every emoji, 50 ms in the first frame. */
const NARROW_CHARACTER = new RegExp(`^[${NARROW}]$`);
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, 0 | 1 | 2>();

/** Terminal cells of one code point of sanitised text. */
export function cellsOfCharacter(character: string): 0 | 1 | 2 {
  let cells = remembered.get(character);
  if (cells === undefined) {
    cells = NARROW_CHARACTER.test(character) ? 1 : (stringWidth(character) as 0 | 1 | 2);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(character, cells);
  }
  return cells;
}

/** Terminal cells of sanitised text: code point by code point, as terminals count. */
export function cellsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (const character of text) cells += cellsOfCharacter(character);
  return cells;
}

/** Sanitised text cut to at most `cells`; a cut shows as an ellipsis. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return "";
  if (ASCII.test(text)) return text.length <= cells ? text : text.slice(0, cells - 1) + ELLIPSIS;
  let taken = 0;
  let end = 0;
  let lastFit = 0;
  for (const character of text) {
    taken += cellsOfCharacter(character);
    if (taken > cells) return text.slice(0, lastFit) + ELLIPSIS;
    end += character.length;
    if (taken <= cells - 1) lastFit = end;
  }
  return text;
}

/** The last `cells` of sanitised text; a cut shows as an ellipsis at its start. */
export function cutStart(text: string, cells: number): string {
  if (cells <= 0) return "";
  const characters = [...text];
  let taken = 0;
  let start = characters.length;
  while (start > 0) {
    const next = cellsOfCharacter(characters[start - 1] ?? "");
    if (taken + next > cells) break;
    taken += next;
    start -= 1;
  }
  if (start === 0) return text;
  while (taken > cells - 1 || cellsOfCharacter(characters[start] ?? " ") === 0) {
    taken -= cellsOfCharacter(characters[start] ?? " ");
    start += 1;
  }
  return ELLIPSIS + characters.slice(start).join("");
}

/** Foreign text as at most `cells` of one line. Huge text is cut before anything looks at it. */
export function oneLine(raw: string, cells: number, keep: "start" | "end" = "start"): string {
  const room = 8 * cells + 64;
  if (keep === "end") return cutStart(sanitise(raw.length > room ? raw.slice(-room) : raw), cells);
  if (raw.length <= room) return cut(sanitise(raw), cells);
  return cut(sanitise(raw.slice(0, room)) + ELLIPSIS, cells);
}

/** Sanitised text filled up with spaces to exactly `cells`. */
export function pad(text: string, cells: number, align: "start" | "end" = "start"): string {
  const space = " ".repeat(Math.max(0, cells - cellsOf(text)));
  return align === "start" ? text + space : space + text;
}
