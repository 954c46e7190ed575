import {
  type AppState,
  isSelectable,
  type PartListRow,
  type PartRow,
  partRowKey,
} from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { changedSegment, List, MARGIN } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";

export function PartsScreen({ state, words }: ScreenProps) {
  return (
    <Frame state={state} title={titleOf(state, words)} head={headOf(state, words)}>
      <List
        state={state}
        name="parts"
        rows={state.rows.parts}
        keyOf={partRowKey}
        segmentsOf={(row) => rowSegments(row, state, words)}
        empty={emptyText(state, words)}
      />
    </Frame>
  );
}

function titleOf(state: AppState, words: Words): readonly Segment[] {
  const { parts, history } = state;
  if (parts === undefined) return [];
  const session = history.sessions.get(parts.sessionID);
  const outline = history.outlines.get(parts.sessionID);
  const isRefreshing = session?.refreshing === true || outline?.refreshing === true;
  const activity = session?.activity ?? "idle";
  return [
    { text: words.partsOf(sessionTitle(state, parts.sessionID, words)), style: "heading", grow: true },
    {
      text: outline?.confirmed === false ? "~" : "",
      spoken: outline?.confirmed === false ? words.spoken.unconfirmed : "",
      style: "warning",
    },
    {
      text: words.activity[activity === "idle" && isRefreshing ? "refreshing" : activity],
      style: activity === "idle" && !isRefreshing ? "quiet" : "warning",
    },
    {
      text:
        session?.technical === undefined
          ? ""
          : words.sessionTotals(session.technical.parts, session.technical.bytes),
    },
  ];
}

function emptyText({ parts, history }: AppState, words: Words): string {
  const outline = parts === undefined ? undefined : history.outlines.get(parts.sessionID);
  if (outline?.problem !== undefined) return outline.problem;
  if (outline === undefined || outline.refreshing) return words.empty.reading;
  if (parts?.filter !== "") return words.empty.filtered;
  return parts.shown === "technical" ? words.empty.parts : words.empty.notShown;
}

const AGE_FROM = 80;
const CELLS = { mark: 3, part: 10, status: 10, age: 11, size: 8 } as const;
const NUMBER = { align: "end" } as const;

function headOf({ parts, size }: AppState, words: Words): readonly Segment[] {
  if (parts === undefined) return [];
  const { columns: names } = words;
  const wanted = [
    words.sorts[parts.sort],
    words.shown[parts.shown],
    parts.filter === "" ? "" : words.filteredBy(parts.filter),
  ];
  return [
    MARGIN,
    { text: wanted.filter(Boolean).join(", "), grow: true, style: "quiet" },
    { text: names.status, cells: CELLS.status, style: "quiet" },
    ...(size.columns >= AGE_FROM
      ? [{ text: names.age, cells: CELLS.age, style: "quiet", ...NUMBER } as const]
      : []),
    { text: names.size, cells: CELLS.size, style: "quiet", ...NUMBER },
  ];
}

function rowSegments(row: PartListRow, state: AppState, words: Words): readonly Segment[] {
  return row.kind === "part" ? partSegments(row, state, words) : messageSegments(row, state, words);
}

function messageSegments(
  { message, number, parts }: Exclude<PartListRow, PartRow>,
  { now, changes, parts: view, history }: AppState,
  words: Words,
): readonly Segment[] {
  const outline = history.outlines.get(view?.sessionID ?? "");
  const isRefreshing = outline?.refreshingMessages.has(message.messageID) === true;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return [
    changedSegment(changes.has(message.messageID), words),
    {
      text: words.messageNumber(number, words.say.moment(message.created, now)),
      style: "strong",
      grow: true,
    },
    {
      text: message.unprunable === undefined ? "" : words.unprunableShort[message.unprunable],
      style: "warning",
    },
    { text: isRefreshing ? words.activity.refreshing : "", style: "warning" },
    { text: words.parts(parts.length), style: "quiet" },
    { text: words.say.bytes(bytes), cells: CELLS.size, ...NUMBER, style: "quiet" },
  ];
}

function partSegments(row: PartRow, state: AppState, words: Words): readonly Segment[] {
  const { message, part } = row;
  const sessionID = state.parts?.sessionID ?? "";
  const isSelected = state.selection.model.has(sessionID, message.messageID, part);
  const created = part.created ?? message.created;
  return [
    MARGIN,
    markSegment(isSelected, isSelectable(message), words),
    { text: part.toolName ?? words.partTypes[part.type], cells: CELLS.part },
    { text: part.label, grow: true, style: isSelected ? "chosen" : "plain" },
    {
      text: statusText(part.status, words),
      cells: CELLS.status,
      style: part.status === "error" ? "danger" : "quiet",
    },
    ...(state.size.columns >= AGE_FROM
      ? [{ text: words.say.ago(created, state.now), cells: CELLS.age, style: "quiet", ...NUMBER } as const]
      : []),
    { text: words.say.bytes(part.bytes), cells: CELLS.size, ...NUMBER },
  ];
}

function markSegment(isSelected: boolean, canBe: boolean, words: Words): Segment {
  const spoken = words.spoken[isSelected ? "selected" : canBe ? "notSelected" : "notSelectable"];
  return {
    text: isSelected ? "[x]" : canBe ? "[ ]" : " - ",
    spoken,
    cells: CELLS.mark,
    style: isSelected ? "chosen" : "quiet",
  };
}

function statusText(status: string | undefined, words: Words): string {
  if (status === undefined) return "";
  return status in words.statuses ? words.statuses[status as keyof Words["statuses"]] : status;
}
