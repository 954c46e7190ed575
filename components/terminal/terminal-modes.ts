import type { Size } from "../../src/state/index.ts";

/** The part of a terminal's output stream that is used here. */
export interface TerminalOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): boolean;
  on(event: "resize" | "drain", listener: () => void): unknown;
  off(event: "resize" | "drain", listener: () => void): unknown;
}

/** The size of a terminal; 80 × 24 where it does not say. */
export function sizeOf({ columns, rows }: Pick<TerminalOutput, "columns" | "rows">): Size {
  return { columns: columns || 80, rows: rows || 24 };
}

const ALTERNATE_SCREEN = "?1049";
const CURSOR = "?25";
const AUTOWRAP = "?7";
const BRACKETED_PASTE = "?2004";
/** BDSM of ECMA-48: reset, a terminal leaves right-to-left text in the order in which it was sent. */
const REORDERING = "8";

/**
 * Takes the whole terminal. Lines are never wrapped by it, so that a character that is wider there than here cannot
 * break the frame; pasted text is marked as such.
 */
export const ENTER_SCREEN = [
  set(ALTERNATE_SCREEN),
  reset(CURSOR),
  reset(AUTOWRAP),
  set(BRACKETED_PASTE),
  reset(REORDERING),
  "\x1b[2J\x1b[H",
].join("");

/** Gives the terminal back as it was. Harmless when done twice. */
export const LEAVE_SCREEN = [
  "\x1b[0m",
  set(REORDERING),
  reset(BRACKETED_PASTE),
  set(AUTOWRAP),
  set(CURSOR),
  reset(ALTERNATE_SCREEN),
].join("");

function set(mode: string): string {
  return `\x1b[${mode}h`;
}

function reset(mode: string): string {
  return `\x1b[${mode}l`;
}
