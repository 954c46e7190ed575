import type { AppState, Notice } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";

/** What happened, newest first: prunes by anyone, lost connections, reconciliations, problems. */
export function EventsScreen({ state, words }: ScreenProps) {
  return (
    <Frame state={state} title={[{ text: words.screens.events, style: "heading" }]} head={[]}>
      <List
        state={state}
        name="events"
        rows={state.rows.events}
        keyOf={(row) => row.key}
        segmentsOf={({ notice }) => noticeSegments(notice, state, words)}
        empty={words.empty.events}
      />
    </Frame>
  );
}

function noticeSegments(notice: Notice, state: AppState, words: Words): readonly Segment[] {
  return [
    { text: words.say.moment(notice.at, state.now), style: "quiet" },
    {
      text: noticeText(notice, state, words),
      grow: true,
      style: notice.kind === "lost" || notice.kind === "problem" ? "danger" : "plain",
    },
  ];
}

function noticeText(notice: Notice, state: AppState, words: Words): string {
  switch (notice.kind) {
    case "pruned":
      return words.events.pruned(sessionTitle(state, notice.sessionID, words), notice.byUs);
    case "connected":
      return words.events.connected;
    case "lost":
      return words.events.lost(notice.problem);
    case "reconciled":
      return words.events.reconciled(notice.sessions, notice.reread);
    case "problem":
      return words.events.problem(notice.problem);
  }
}
