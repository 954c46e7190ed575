import { sanitiseLine, wrapStarts } from "../text/index.ts";
import { type Section, sectionsOf } from "./part-sections.ts";

/** A place in a document: a line, and a row of that line once it is wrapped. */
export interface DocumentPosition {
  readonly line: number;
  readonly row: number;
}

export const DOCUMENT_START: DocumentPosition = { line: 0, row: 0 };

/** A row as it can be shown: sanitised, at most as wide as asked. Offsets are those of the line's sanitised text. */
export interface DocumentRow {
  readonly position: DocumentPosition;
  readonly section: Section;
  /** The row is the heading of its section, and has no text of its own. */
  readonly heading: boolean;
  readonly text: string;
  readonly start: number;
}

/** Longer lines are split, so that the work for a row never depends on the length of its line. */
const MAX_LINE = 4096;
const MAX_REMEMBERED = 400;

/**
 * A part's content, ready to be looked at. Building it finds the line breaks; sanitising and wrapping is done for
 * the rows that are asked for, and for no other.
 */
export class DetailDocument {
  readonly sections: readonly Section[];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #sections: number[] = [];
  readonly #texts = new Map<number, string>();
  readonly #wraps = new Map<string, readonly number[]>();

  constructor(part: Readonly<Record<string, unknown>>) {
    this.sections = sectionsOf(part);
    this.sections.forEach((section, index) => {
      this.#push(index, -1, -1);
      if (section.kind === "attachment") return;
      const { text } = section;
      let start = 0;
      for (;;) {
        const found = text.indexOf("\n", start);
        const end = found === -1 ? text.length : found;
        this.#pushLine(index, text, start, text[end - 1] === "\r" && end > start ? end - 1 : end);
        if (found === -1) return;
        start = found + 1;
      }
    });
  }

  /** Lines, headings among them. */
  get length(): number {
    return this.#starts.length;
  }

  /** The rows from a position on, at most `height` of them. */
  rows(from: DocumentPosition, width: number, height: number): DocumentRow[] {
    const rows: DocumentRow[] = [];
    for (let line = from.line; line < this.length && rows.length < height; line += 1) {
      const starts = this.#wrap(line, width);
      const text = this.text(line);
      for (
        let row = line === from.line ? from.row : 0;
        row < starts.length && rows.length < height;
        row += 1
      ) {
        const start = starts[row] ?? 0;
        rows.push({
          position: { line, row },
          section: this.#section(line),
          heading: this.#starts[line] === -1,
          text: text.slice(start, starts[row + 1] ?? text.length),
          start,
        });
      }
    }
    return rows;
  }

  /** A position moved by rows, kept where a whole screen can still be shown. */
  move(from: DocumentPosition, rows: number, width: number, height: number): DocumentPosition {
    let { line, row } = this.#clamp(from, width);
    let left = Math.abs(rows);
    while (left > 0) {
      if (rows > 0) {
        if (row + 1 < this.#wrap(line, width).length) row += 1;
        else if (line + 1 < this.length) [line, row] = [line + 1, 0];
        else break;
      } else if (row > 0) row -= 1;
      else if (line > 0) [line, row] = [line - 1, this.#wrap(line - 1, width).length - 1];
      else break;
      left -= 1;
    }
    const last = this.last(width, height);
    return rows > 0 && isBefore(last, { line, row }) ? last : { line, row };
  }

  /** Where the last whole screen starts. */
  last(width: number, height: number): DocumentPosition {
    let line = Math.max(0, this.length - 1);
    let above = height - this.#wrap(line, width).length;
    while (above > 0 && line > 0) {
      line -= 1;
      above -= this.#wrap(line, width).length;
    }
    return { line, row: Math.max(0, -above) };
  }

  /** How far down a position is, 0 to 1. */
  progress(position: DocumentPosition, width: number, height: number): number {
    const last = this.last(width, height);
    if (!isBefore(position, last)) return 1;
    return position.line / Math.max(1, last.line);
  }

  /** The next line with the text, after or before a line, around the end. Literal, in any case. */
  find(search: string, from: number, direction: 1 | -1): number | undefined {
    const wanted = search.toLowerCase();
    if (wanted === "") return undefined;
    for (let step = 1; step <= this.length; step += 1) {
      const line = (from + direction * step + this.length * 2) % this.length;
      if (this.isMatch(line, wanted)) return line;
    }
    return undefined;
  }

  /** Whether the text starts in the line. A long line that was split is looked at as one. */
  isMatch(line: number, search: string): boolean {
    const wanted = search.toLowerCase();
    const isContinued = this.#ends[line] === this.#starts[line + 1] && this.#starts[line] !== -1;
    const rest = isContinued ? this.raw(line + 1).slice(0, wanted.length - 1) : "";
    return (this.raw(line) + rest).toLowerCase().includes(wanted);
  }

  /** A line's text as it is stored. */
  raw(line: number): string {
    const start = this.#starts[line] ?? -1;
    const section = this.#section(line);
    return start === -1 || section.kind === "attachment" ? "" : section.text.slice(start, this.#ends[line]);
  }

  /** A line's text, sanitised. */
  text(line: number): string {
    return remember(this.#texts, line, () => sanitiseLine(this.raw(line)));
  }

  #wrap(line: number, width: number): readonly number[] {
    return remember(this.#wraps, `${line} ${width}`, () => wrapStarts(this.text(line), width));
  }

  #clamp(position: DocumentPosition, width: number): DocumentPosition {
    const line = Math.min(position.line, Math.max(0, this.length - 1));
    return { line, row: Math.min(position.row, this.#wrap(line, width).length - 1) };
  }

  #section(line: number): Section {
    const section = this.sections[this.#sections[line] ?? 0];
    if (section === undefined) throw new RangeError(`the document has no line ${line}`);
    return section;
  }

  #pushLine(section: number, text: string, start: number, end: number): void {
    let from = start;
    while (end - from > MAX_LINE) {
      const halves = text.charCodeAt(from + MAX_LINE - 1);
      const to = from + MAX_LINE - (halves >= 0xd800 && halves <= 0xdbff ? 1 : 0);
      this.#push(section, from, to);
      from = to;
    }
    this.#push(section, from, end);
  }

  #push(section: number, start: number, end: number): void {
    this.#sections.push(section);
    this.#starts.push(start);
    this.#ends.push(end);
  }
}

function isBefore(one: DocumentPosition, other: DocumentPosition): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    if (map.size >= MAX_REMEMBERED) map.clear();
    map.set(key, value);
  }
  return value;
}
