import type { FoundRow } from "../../src/state/index.ts";
import { sanitise } from "../../src/text/index.ts";
import type { Words } from "../../src/words/index.ts";

/** What stands around the text that was sought, so that it can be told without any colour. */
export const MARKS = ["›", "‹"] as const;

/** A whole excerpt in a sentence, sanitised: whose text it is, and the text. */
export function excerptText({ role, kind, excerpt }: FoundRow, words: Words): string {
  if (excerpt === undefined) return words.found.pruned;
  const { before, match, after } = excerpt;
  const whose = role === "assistant" ? words.found.kinds[kind] : role;
  const marked = match === "" ? "" : MARKS[0] + match + MARKS[1];
  return sanitise(`${whose}: ${before}${marked}${after}`);
}
