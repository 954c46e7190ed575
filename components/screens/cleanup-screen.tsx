import type { AppState, CleanupSession } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List, MARGIN } from "../frame/list.tsx";
import { Explanation } from "./explanation.tsx";
import { howToPrune, unplannedText } from "./plan-text.ts";
import type { ScreenProps } from "./screen.ts";
import { sessionTitle } from "./session-title.ts";
import { Verdict } from "./verdict.tsx";

/** The plan for whole sessions: what is eligible, what is skipped, what is refused, and why. */
export function CleanupScreen({ state, words }: ScreenProps) {
  return (
    <Frame
      state={state}
      title={[
        { text: words.screens.cleanup, style: "heading" },
        { text: totalsText(state.rows.cleanup, words) },
      ]}
      head={[
        MARGIN,
        MARGIN,
        { text: words.columns.title, grow: true, style: "quiet" },
        { text: words.cleanup.eligible, cells: CELLS.eligible, style: "quiet" },
        { text: words.cleanup.skipped, cells: CELLS.skipped, style: "quiet" },
      ]}
      foot={
        <>
          <Explanation state={state} words={words} />
          <Verdict lines={verdictOf(state, words)} />
        </>
      }
    >
      <List
        state={state}
        name="cleanup"
        rows={state.rows.cleanup}
        keyOf={(session) => session.sessionID}
        segmentsOf={(session) => sessionSegments(session, state, words)}
        empty={unplannedText(state, words, ({ done, total }) => words.cleanup.planningOf(done, total))}
      />
    </Frame>
  );
}

const CELLS = { eligible: 20, skipped: 22 } as const;

function totalsText(sessions: readonly CleanupSession[], words: Words): string {
  if (sessions.length === 0) return "";
  const refused = sessions.filter((session) => session.refused !== undefined).length;
  const eligible = sessions.filter((session) => session.eligible.parts > 0).length;
  const skipped = sessions.flatMap((session) => session.skipped).reduce((sum, one) => sum + one.parts, 0);
  return words.cleanup.totals(eligible, skipped, refused);
}

function sessionSegments(session: CleanupSession, state: AppState, words: Words): readonly Segment[] {
  const { eligible, skipped, refused, sessionID } = session;
  const isOutdated = state.work.kind === "planned" && state.work.outdated.has(sessionID);
  const title: Segment = { text: sessionTitle(state, sessionID, words), grow: true, style: "strong" };
  if (refused !== undefined) {
    return [
      { text: "!", spoken: "", cells: 1, style: "warning" },
      title,
      { text: `${words.cleanup.refused}: ${words.reasonsShort[refused]}`, style: "warning" },
    ];
  }
  const skippedParts = skipped.reduce((sum, one) => sum + one.parts, 0);
  const why = [...new Set(skipped.map((one) => words.unprunableShort[one.reason]))].join(", ");
  return [
    {
      text: isOutdated ? "*" : "",
      spoken: isOutdated ? words.preview.outdated : "",
      cells: 1,
      style: "danger",
    },
    title,
    {
      text:
        eligible.parts === 0
          ? words.cleanup.nothing
          : `${words.parts(eligible.parts)}, ${words.say.bytes(eligible.bytes)}`,
      cells: CELLS.eligible,
      style: eligible.parts === 0 ? "quiet" : "danger",
    },
    {
      text: skippedParts === 0 ? "" : `${words.say.count(skippedParts)}: ${why}`,
      cells: CELLS.skipped,
      style: "warning",
    },
  ];
}

function verdictOf({ work, plugin }: AppState, words: Words): readonly [string, string] {
  if (work.kind === "running") return [words.preview.running, ""];
  if (work.kind !== "planned" || work.what !== "cleanup" || work.plan.parts === 0) return ["", ""];
  const { parts, bytes, messages, requests } = work.plan;
  return [
    words.cleanup.verdict(parts, bytes, messages, requests),
    howToPrune(plugin, work.confirmation, words),
  ];
}
