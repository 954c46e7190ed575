/** Where one element of an array lies in a JSON text: UTF-16 offsets, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the elements of the top-level `content` array in the text of a JSON object that `JSON.parse` accepts.
 * Answers `undefined` when there is no such array, or more than one: `JSON.parse` then takes the last, SQLite
 * the first.
 */
export function contentSpans(text: string): readonly Span[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return undefined;
  const contents: number[] = [];
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (JSON.parse(text.slice(at, keyEnd)) === "content") contents.push(valueStart);
    at = skipSpace(text, valueEndOf(text, valueStart));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  const [only, ...others] = contents;
  if (only === undefined || others.length > 0 || text[only] !== "[") return undefined;
  return elementSpans(text, only);
}

/** The text without the elements at `removed` (ascending, unique) and without the commas that held them. */
export function cutElements(text: string, spans: readonly Span[], removed: readonly number[]): string {
  const first = spans[0];
  const last = spans.at(-1);
  if (!first || !last) return text;
  const gone = new Set(removed);
  const kept = spans.filter((_, index) => !gone.has(index)).map(({ start, end }) => text.slice(start, end));
  return text.slice(0, first.start) + kept.join(",") + text.slice(last.end);
}

function elementSpans(text: string, arrayStart: number): readonly Span[] {
  const spans: Span[] = [];
  let at = skipSpace(text, arrayStart + 1);
  while (text[at] !== "]") {
    const end = valueEndOf(text, at);
    spans.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return spans;
}

function valueEndOf(text: string, start: number): number {
  const opening = text[start];
  if (opening === '"') return stringEnd(text, start);
  if (opening !== "{" && opening !== "[") return scalarEnd(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  throw new SyntaxError("The JSON text ends inside a value.");
}

function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  if (quote === -1) throw new SyntaxError("The JSON text ends inside a string.");
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",]} \t\n\r".includes(text.charAt(at))) at += 1;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (" \t\n\r".includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
