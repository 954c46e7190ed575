import { type AppState, type InterruptedRow, rowAtCursor } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";
import { Verdict } from "./verdict.tsx";

/** The cleanups that were cut off: what is left of each, and what can become of it. */
export function InterruptedScreen({ state, words }: ScreenProps) {
  return (
    <Frame
      state={state}
      title={[{ text: words.screens.interrupted, style: "heading" }]}
      head={[]}
      foot={<Verdict lines={verdictOf(state, words)} />}
    >
      <List
        state={state}
        name="interrupted"
        rows={state.rows.interrupted}
        keyOf={(row) => row.key}
        segmentsOf={(row) => rowSegments(row, state, words)}
        empty={words.interrupted.none}
      />
    </Frame>
  );
}

function rowSegments(
  { job: { created, left } }: InterruptedRow,
  { now }: AppState,
  words: Words,
): readonly Segment[] {
  return [
    { text: words.say.moment(created, now), style: "quiet" },
    { text: words.interrupted.left(left.messages, left.sessions), grow: true, style: "strong" },
    { text: words.parts(left.parts), align: "end" },
    { text: words.say.bytes(left.bytes), cells: 8, align: "end" },
  ];
}

function verdictOf(state: AppState, words: Words): readonly [string, string] {
  const { work, plugin, interrupted } = state;
  if (work.kind === "running") return [words.preview.running, ""];
  const { question } = interrupted;
  if (question !== undefined) {
    const { messages, parts, bytes } = question.job.left;
    return question.kind === "resume"
      ? [words.interrupted.willDelete(parts, bytes, messages), words.interrupted.askResume]
      : [words.interrupted.willForget(messages), words.interrupted.askDiscard];
  }
  const job = rowAtCursor(state, "interrupted")?.job;
  if (job === undefined) return ["", ""];
  if (plugin.state === "missing") return [words.interrupted[job.state], words.messagesToUser.pluginMissing];
  return [words.interrupted[job.state], words.interrupted.choices];
}
