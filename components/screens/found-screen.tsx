import { type AppState, type FoundRow, type FoundView, isLooking } from "../../src/state/index.ts";
import { cellsOf, oneLine } from "../../src/text/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List, MARGIN } from "../frame/list.tsx";
import type { Style } from "../frame/theme.ts";
import { MARKS } from "./excerpt-text.ts";
import { Explanation } from "./explanation.tsx";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";

/** The messages whose content holds a text, as they are found. */
export function FoundScreen({ state, words }: ScreenProps) {
  const { found } = state;
  if (found === undefined) return null;
  return (
    <Frame
      state={state}
      title={titleOf(state, found, words)}
      head={[MARGIN, { text: progressText(state, found, words), style: styleOf(found) }]}
      foot={<Explanation state={state} words={words} />}
    >
      <List
        state={state}
        name="found"
        rows={state.rows.found}
        keyOf={(row) => row.key}
        segmentsOf={(row) => rowSegments(row, state, words)}
        empty={isLooking(state) ? "" : words.found.nothing}
      />
    </Frame>
  );
}

function titleOf(state: AppState, { text, hits, sessionID }: FoundView, words: Words): readonly Segment[] {
  return [
    { text: words.screens.found, style: "heading" },
    { text: words.quoted(text), style: "strong" },
    { text: words.found.count(hits.length) },
    {
      text: sessionID === undefined ? words.found.everywhere : sessionTitle(state, sessionID, words),
      grow: true,
      style: "quiet",
    },
  ];
}

function progressText({ plugin }: AppState, found: FoundView, words: Words): string {
  const { phase, scanned, skipped, through, problem } = found;
  const isPublished = plugin.state === "ready" && plugin.provider === "published";
  return [
    phase === "failed" ? words.found.failed(problem ?? "") : words.found[phase],
    words.found.searched(scanned),
    skipped > 0 ? words.found.skipped(skipped) : "",
    ...through.map((one) => words.found.through[one === "plugin" && isPublished ? "published" : one]),
  ]
    .filter(Boolean)
    .join(", ");
}

function styleOf({ phase }: FoundView): Style {
  if (phase === "failed") return "danger";
  return phase === "done" ? "quiet" : "warning";
}

/** From here on there is room for the time of day and more of the title. */
const WIDE_FROM = 80;

function rowSegments(row: FoundRow, state: AppState, words: Words): readonly Segment[] {
  const { columns } = state.size;
  const isWide = columns >= WIDE_FROM;
  const title: Segment = {
    text: sessionTitle(state, row.sessionID, words),
    cells: isWide ? 24 : 16,
    style: "strong",
  };
  const time: Segment = {
    text: timeText(row, state.now, isWide, words),
    cells: isWide ? 18 : 11,
    align: "end",
    style: "quiet",
  };
  const before = state.found?.sessionID === undefined ? [title, time] : [time];
  const taken = before.reduce((sum, segment) => sum + (segment.cells ?? 0) + 1, MARK_OF_CURSOR);
  return [...before, ...excerptSegments(row, columns - taken, words)];
}

const MARK_OF_CURSOR = 2;

function timeText({ created }: FoundRow, now: number, isWide: boolean, words: Words): string {
  if (created === undefined) return "";
  return isWide ? words.say.moment(created, now) : words.say.ago(created, now);
}

/** An excerpt in so many cells, with what was sought in sight and between marks. It is spoken below, as a whole. */
function excerptSegments(row: FoundRow, cells: number, words: Words): readonly Segment[] {
  const { excerpt } = row;
  if (excerpt === undefined) return [{ text: words.found.pruned, spoken: "", grow: true, style: "quiet" }];
  const { before, match, after } = excerpt;
  if (match === "") return [{ text: before, spoken: "", grow: true }];
  const marked = MARKS[0] + match + MARKS[1];
  const room = Math.max(Math.floor(cells / 3), cells - cellsOf(oneLine(marked + after, cells)));
  const lead = oneLine(before, room, "end");
  return [
    { text: lead, spoken: "" },
    { text: marked, spoken: "", style: "match", joined: lead !== "" },
    { text: after, spoken: "", grow: true, joined: true },
  ];
}
