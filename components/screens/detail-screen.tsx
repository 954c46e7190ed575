import {
  type AppState,
  bodyHeight,
  type DetailView,
  type DocumentRow,
  detailWidth,
  type Section,
} from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { Line } from "../frame/line.tsx";
import { MARGIN } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";

/** A part's content: a tool's input, output and error apart, wrapped, and only as much of it as is seen. */
export function DetailScreen({ state, words }: ScreenProps) {
  const { detail } = state;
  if (detail === undefined) return null;
  const width = detailWidth(state.size);
  const height = bodyHeight(state, "detail");
  const rows = detail.document?.rows(detail.position, width, height) ?? [];
  const progress = detail.document?.progress(detail.position, width, height);
  return (
    <Frame state={state} title={titleOf(state, detail, progress, words)} head={headOf(detail, words)}>
      {rows.length === 0 ? (
        <Line segments={[MARGIN, { text: emptyText(detail, words), style: "quiet" }]} />
      ) : (
        rows.map((row) => (
          <Line
            key={`${row.position.line} ${row.position.row}`}
            segments={contentSegments(row, detail, words)}
          />
        ))
      )}
    </Frame>
  );
}

function titleOf(
  state: AppState,
  { part, sessionID }: DetailView,
  progress: number | undefined,
  words: Words,
): readonly Segment[] {
  return [
    { text: part.toolName ?? words.partTypes[part.type], style: "heading" },
    { text: words.say.bytes(part.bytes) },
    { text: sessionTitle(state, sessionID, words), grow: true, style: "quiet" },
    { text: progress === undefined ? "" : words.say.share(progress), cells: 5, align: "end" },
  ];
}

function headOf({ phase, document, search }: DetailView, words: Words): readonly Segment[] {
  if (phase === "vanished" && document !== undefined) {
    return [MARGIN, { text: words.empty.vanished, style: "danger" }];
  }
  return [MARGIN, { text: search === "" ? "" : words.detail.searching(search), style: "quiet" }];
}

function emptyText({ phase, problem }: DetailView, words: Words): string {
  if (phase === "failed") return words.detail.failed(problem ?? "");
  return phase === "vanished" ? words.empty.vanished : words.empty.content;
}

function contentSegments(row: DocumentRow, detail: DetailView, words: Words): readonly Segment[] {
  if (row.heading) return [MARGIN, { text: headingText(row.section, words), style: "heading" }];
  const isMatch = detail.search !== "" && detail.document?.isMatch(row.position.line, detail.search) === true;
  return [
    { text: isMatch ? ">" : "", spoken: isMatch ? words.spoken.match : "", cells: 1, style: "match" },
    { text: row.text, style: isMatch ? "match" : "plain" },
  ];
}

function headingText(section: Section, words: Words): string {
  if (section.kind !== "attachment") return words.detail[section.kind];
  return words.detail.attachment(section.type, section.mime, section.name, words.say.bytes(section.bytes));
}
