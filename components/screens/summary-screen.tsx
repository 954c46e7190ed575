import type { AppState } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List, MARGIN } from "../frame/list.tsx";
import { Explanation } from "./explanation.tsx";
import { refusalSegments } from "./refusal-segments.ts";
import type { ScreenProps } from "./screen.ts";

/** What a prune did, what it did not do, and why not. */
export function SummaryScreen({ state, words }: ScreenProps) {
  return (
    <Frame
      state={state}
      title={titleOf(state, words)}
      head={headOf(state, words)}
      foot={<Explanation state={state} words={words} />}
    >
      <List
        state={state}
        name="summary"
        rows={state.rows.summary}
        keyOf={(row) => row.key}
        segmentsOf={(row) => (row.kind === "refused" ? refusalSegments(row.refusal, state, words) : [])}
        empty={words.summary.allDone}
      />
    </Frame>
  );
}

function titleOf({ summary }: AppState, words: Words): readonly Segment[] {
  if (summary === undefined) return [];
  const { prunedParts, prunedMessages, prunedBytes } = summary.report;
  return [
    { text: words.screens.summary, style: "heading" },
    {
      text:
        prunedParts === 0
          ? words.summary.nothing
          : words.summary.pruned(prunedParts, prunedMessages, prunedBytes),
      style: "strong",
    },
  ];
}

function headOf({ summary }: AppState, words: Words): readonly Segment[] {
  if (summary === undefined) return [];
  const { skippedMessages, refused } = summary.report;
  const refusedMessages = new Set(refused.map((refusal) => `${refusal.sessionID} ${refusal.messageID}`)).size;
  const said = [
    skippedMessages > 0 ? words.summary.skipped(skippedMessages) : "",
    refusedMessages > 0 ? words.summary.refused(refusedMessages) : "",
    summary.again === undefined ? "" : words.summary.again,
  ];
  return [MARGIN, { text: said.filter(Boolean).join(" "), style: "warning" }];
}
