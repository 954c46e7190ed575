import { MAX_EXCERPT_LENGTH } from "./history.ts";

/** How much of an excerpt comes before what was found. */
const LEAD = 80;

/** A literal search, in upper and lower case alike, and an excerpt around the first place found. */
export class LiteralSearch {
  readonly #pattern: RegExp;
  readonly #stored: RegExp;

  constructor(query: string) {
    this.#pattern = literal(query);
    this.#stored = literal(JSON.stringify(query).slice(1, -1));
  }

  /**
   * Whether stored JSON may hold it in one of its strings. False is certain. JSON may write any character as an
   * escape, so a text with escapes that `JSON.stringify` would not have chosen may hold anything.
   */
  mayBeIn(json: string): boolean {
    return this.#stored.test(json) || json.includes("\\u") || json.includes("\\/");
  }

  /** The first place found, in UTF-16 units; undefined when the text does not hold it. */
  placeIn(text: string): { readonly start: number; readonly end: number } | undefined {
    const found = this.#pattern.exec(text);
    return found ? { start: found.index, end: found.index + found[0].length } : undefined;
  }

  /** Undefined when the text does not hold it. */
  excerpt(text: string): string | undefined {
    const found = this.#pattern.exec(text);
    if (!found) return undefined;
    const start = Math.max(0, found.index - LEAD);
    return text
      .slice(start, start + MAX_EXCERPT_LENGTH)
      .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
      .replace(/\s+/gu, " ")
      .trim();
  }
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
}
