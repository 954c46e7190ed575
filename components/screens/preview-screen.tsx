import type { AppState, PlanRow, Work } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List, MARGIN } from "../frame/list.tsx";
import { Explanation } from "./explanation.tsx";
import { howToPrune, unplannedText } from "./plan-text.ts";
import { plannedMessageText } from "./planned-message-text.ts";
import { refusalSegments } from "./refusal-segments.ts";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";
import { Verdict } from "./verdict.tsx";

/** Exactly what goes and what stays, before anything goes. */
export function PreviewScreen({ state, words }: ScreenProps) {
  const { work } = state;
  return (
    <Frame
      state={state}
      title={titleOf(state, words)}
      head={headOf(work, words)}
      foot={
        <>
          <Explanation state={state} words={words} />
          <Verdict lines={verdictOf(state, words)} />
        </>
      }
    >
      <List
        state={state}
        name="preview"
        rows={state.rows.preview}
        keyOf={(row) => row.key}
        segmentsOf={(row) => rowSegments(row, state, words)}
        empty={unplannedText(state, words, ({ done, total }) => words.preview.planningOf(done, total))}
      />
    </Frame>
  );
}

function titleOf(state: AppState, words: Words): readonly Segment[] {
  return [
    { text: words.screens.preview, style: "heading" },
    {
      text: state.parts === undefined ? "" : sessionTitle(state, state.parts.sessionID, words),
      style: "quiet",
    },
  ];
}

function headOf(work: Work, words: Words): readonly Segment[] {
  if (work.kind !== "planned" || work.what !== "prune" || work.plan.refused.length === 0) return [];
  const messages = new Set(work.plan.refused.map((refusal) => refusal.messageID)).size;
  return [MARGIN, { text: words.preview.refusals(messages), style: "warning" }];
}

function rowSegments(row: PlanRow, state: AppState, words: Words): readonly Segment[] {
  if (row.kind === "refused") return refusalSegments(row.refusal, state, words);
  if (row.kind === "part") {
    return [
      { text: "", cells: 3 },
      { text: row.part.toolName ?? words.partTypes[row.part.type], cells: 10 },
      { text: row.part.label, grow: true },
      { text: words.say.bytes(row.part.bytes), cells: 8, align: "end" },
    ];
  }
  const { goes, stays, messageID } = row.message;
  const isOutdated = state.work.kind === "planned" && state.work.outdated.has(messageID);
  const bytes = goes.reduce((sum, part) => sum + part.bytes, 0);
  return [
    { text: row.open ? "-" : "+", spoken: row.open ? "" : words.spoken.folded, cells: 1, style: "quiet" },
    { text: plannedMessageText(row.message, state, words), grow: true, style: "strong" },
    { text: isOutdated ? words.preview.outdated : "", style: "danger" },
    { text: words.preview.goes(goes.length, bytes), style: "danger" },
    { text: words.preview.stays(stays.parts, stays.bytes), style: "good" },
  ];
}

function verdictOf({ work, plugin }: AppState, words: Words): readonly [string, string] {
  if (work.kind === "running") return [words.preview.running, ""];
  if (work.kind !== "planned" || work.what !== "prune" || work.plan.parts === 0) return ["", ""];
  const { parts, bytes, messages } = work.plan;
  return [words.preview.verdict(parts, bytes, messages.length), howToPrune(plugin, work.confirmation, words)];
}
