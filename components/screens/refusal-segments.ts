import type { AppState, Refusal } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "../frame/layout-line.ts";
import { plannedMessageText } from "./planned-message-text.ts";

/** A refusal in a row: which message, how much, and why in a word or two. */
export function refusalSegments(refusal: Refusal, state: AppState, words: Words): readonly Segment[] {
  return [
    { text: "!", spoken: "", cells: 1, style: "warning" },
    {
      text: plannedMessageText(refusal, state, words),
      grow: true,
    },
    { text: words.preview.refused(refusal.parts), style: "warning" },
    { text: words.reasonsShort[refusal.reason], style: "warning" },
  ];
}
