import { type AppState, type SessionSummary, technicalShare } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { changedSegment, List, MARGIN } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";

export function SessionsScreen({ state, words }: ScreenProps) {
  return (
    <Frame state={state} title={titleOf(state, words)} head={headOf(state.size.columns, words)}>
      <List
        state={state}
        name="sessions"
        rows={state.rows.sessions}
        keyOf={(session) => session.sessionID}
        segmentsOf={(session) => sessionSegments(session, state, words)}
        empty={emptyText(state, words)}
      />
    </Frame>
  );
}

function titleOf({ rows, history, sessionSort, sessionFilter }: AppState, words: Words): readonly Segment[] {
  return [
    { text: words.screens.sessions, style: "heading" },
    { text: words.someOf(rows.sessions.length, history.sessions.size) },
    { text: words.sortedBy(words.sorts[sessionSort]), style: "quiet" },
    { text: sessionFilter === "" ? "" : words.filteredBy(sessionFilter), style: "strong" },
  ];
}

function emptyText({ history, sessionFilter }: AppState, words: Words): string {
  if (sessionFilter !== "" && history.sessions.size > 0) return words.empty.filtered;
  return history.listed ? words.empty.sessions : (history.connection.problem ?? words.empty.connecting);
}

/** Columns that a narrower terminal does without. */
const UPDATED_FROM = 80;
const MESSAGES_FROM = 90;
const LOCATION_FROM = 110;

function headOf(columns: number, words: Words): readonly Segment[] {
  const { columns: names } = words;
  return [
    MARGIN,
    MARGIN,
    { text: names.title, grow: true, style: "quiet" },
    ...(columns >= LOCATION_FROM ? [{ text: names.location, cells: locationCells(columns), ...QUIET }] : []),
    ...(columns >= UPDATED_FROM ? [{ text: names.updated, cells: CELLS.updated, ...NUMBER, ...QUIET }] : []),
    ...(columns >= MESSAGES_FROM
      ? [{ text: names.messages, cells: CELLS.messages, ...NUMBER, ...QUIET }]
      : []),
    { text: names.parts, cells: CELLS.parts, ...NUMBER, ...QUIET },
    { text: names.bytes, cells: CELLS.bytes, ...NUMBER, ...QUIET },
    { text: names.share, cells: CELLS.share, ...NUMBER, ...QUIET },
    { text: names.state, cells: CELLS.state, ...QUIET },
  ];
}

const QUIET = { style: "quiet" } as const;
const NUMBER = { align: "end" } as const;
const CELLS = { updated: 11, messages: 6, parts: 6, bytes: 9, share: 6, state: 10 } as const;

function locationCells(columns: number): number {
  return Math.min(48, Math.floor(columns / 5));
}

function sessionSegments(session: SessionSummary, state: AppState, words: Words): readonly Segment[] {
  const { say } = words;
  const { columns } = state.size;
  const unknown = session.confirmed ? "" : "~";
  const share = technicalShare(session);
  return [
    changedSegment(state.changes.has(session.sessionID), words),
    {
      text: (session.parentID === undefined ? "" : "↳ ") + (session.title || words.untitled),
      grow: true,
    },
    ...(columns >= LOCATION_FROM
      ? [{ text: session.directory, cells: locationCells(columns), keep: "end", ...QUIET } as const]
      : []),
    ...(columns >= UPDATED_FROM
      ? [spokenAs(say.ago(session.updated, state.now), words.spoken.updated, CELLS.updated)]
      : []),
    ...(columns >= MESSAGES_FROM
      ? [
          {
            text: known(session.messages, say.count),
            spoken: known(session.messages, words.spoken.messages),
            cells: CELLS.messages,
            ...NUMBER,
          },
        ]
      : []),
    {
      text: known(session.technical?.parts, say.count),
      spoken: known(session.technical?.parts, words.parts),
      cells: CELLS.parts,
      ...NUMBER,
    },
    {
      text: session.technical === undefined ? "…" : unknown + say.bytes(session.technical.bytes),
      cells: CELLS.bytes,
      style: "strong",
      ...NUMBER,
    },
    spokenAs(known(share, say.share), words.spoken.share, CELLS.share),
    activitySegment(session, words),
  ];
}

function activitySegment(session: SessionSummary, words: Words): Segment {
  const shown = session.activity === "idle" && session.refreshing ? "refreshing" : session.activity;
  return {
    text: words.activity[shown],
    cells: CELLS.state,
    style: shown === "idle" ? "quiet" : "warning",
  };
}

function spokenAs(text: string, speak: (text: string) => string, cells: number): Segment {
  return { text, spoken: speak(text), cells, align: "end" };
}

function known(value: number | undefined, write: (value: number) => string): string {
  return value === undefined ? "…" : write(value);
}
