import type { Refusal } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "../frame/layout-line.ts";

/** A refusal in a row: how much, and why in a sentence. */
export function refusalSegments(refusal: Refusal, words: Words): readonly Segment[] {
  return [
    { text: "!", spoken: "", cells: 1, style: "warning" },
    { text: words.preview.refused(refusal.parts), style: "warning" },
    { text: words.reasons[refusal.reason], grow: true },
  ];
}
