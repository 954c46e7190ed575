import { LiteralSearch } from "../contract/index.ts";

/** An excerpt, and the place in it that was sought. Foreign text, all of it. */
export interface MarkedExcerpt {
  readonly before: string;
  /** Empty where the place cannot be found again. */
  readonly match: string;
  readonly after: string;
}

/** White space in excerpts is single spaces, whatever it was in the content. */
export function markedExcerpt(excerpt: string, sought: string): MarkedExcerpt {
  const place = new LiteralSearch(sought.replace(/\s+/gu, " ")).placeIn(excerpt);
  if (place === undefined) return { before: excerpt, match: "", after: "" };
  const { start, end } = place;
  return { before: excerpt.slice(0, start), match: excerpt.slice(start, end), after: excerpt.slice(end) };
}
