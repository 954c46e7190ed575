import type { AppState, EventRow, HelpRow, InterruptedRow, Rows, SelectRow } from "./app-state.ts";
import { bindingsOf, type KeyPlace } from "./key-table.ts";
import { partRows } from "./part-rows.ts";
import { planRows, refusalRows } from "./plan-rows.ts";
import type { CleanupSession } from "./ports.ts";
import { selectRows } from "./select-rows.ts";
import { sessionRows } from "./session-rows.ts";

export const NO_ROWS: Rows = {
  sessions: [],
  parts: [],
  select: [],
  preview: [],
  cleanup: [],
  interrupted: [],
  summary: [],
  found: [],
  events: [],
  help: [],
};

/** The rows after a change. Rows whose inputs did not change stay the same object. */
export function deriveRows(before: AppState, after: AppState): Rows {
  const { rows } = before;
  const parts = derivePartRows(before, after);
  return {
    sessions:
      before.history.sessions === after.history.sessions &&
      before.sessionSort === after.sessionSort &&
      before.sessionFilter === after.sessionFilter
        ? rows.sessions
        : sessionRows(after.history.sessions.values(), after.sessionSort, after.sessionFilter),
    parts,
    select: deriveSelectRows(before, after, parts),
    preview: before.work === after.work ? rows.preview : previewRows(after),
    cleanup: before.work === after.work ? rows.cleanup : cleanupRows(after),
    summary:
      before.summary === after.summary ? rows.summary : refusalRows(after.summary?.report.refused ?? []),
    interrupted:
      before.interrupted.jobs === after.interrupted.jobs ? rows.interrupted : interruptedRows(after),
    found: after.found?.hits ?? NO_ROWS.found,
    events: before.notices === after.notices ? rows.events : eventRows(after),
    help: before.screens === after.screens ? rows.help : helpRows(after),
  };
}

function derivePartRows(before: AppState, after: AppState): Rows["parts"] {
  if (after.parts === undefined) return NO_ROWS.parts;
  const messages = after.history.outlines.get(after.parts.sessionID)?.messages;
  if (messages === undefined) return NO_ROWS.parts;
  const unchanged =
    before.parts === after.parts && before.history.outlines.get(after.parts.sessionID)?.messages === messages;
  return unchanged ? before.rows.parts : partRows(messages, after.parts);
}

function deriveSelectRows(before: AppState, after: AppState, parts: Rows["parts"]): readonly SelectRow[] {
  if (!after.screens.includes("select")) return NO_ROWS.select;
  const unchanged = before.screens.includes("select") && before.rows.parts === parts;
  return unchanged ? before.rows.select : selectRows(parts);
}

function previewRows({ work }: AppState): Rows["preview"] {
  return work.kind === "planned" && work.what === "prune"
    ? planRows(work.plan, work.closed)
    : NO_ROWS.preview;
}

function cleanupRows({ work }: AppState): readonly CleanupSession[] {
  return work.kind === "planned" && work.what === "cleanup" ? work.plan.sessions : NO_ROWS.cleanup;
}

function interruptedRows({ interrupted }: AppState): readonly InterruptedRow[] {
  return interrupted.jobs.map((job) => ({ key: job.jobID, job }));
}

/** Newest first. */
function eventRows({ notices }: AppState): readonly EventRow[] {
  return notices.map(({ number, notice }) => ({ key: String(number), notice })).reverse();
}

const HELP_PLACES: readonly KeyPlace[] = [
  "sessions",
  "parts",
  "select",
  "detail",
  "preview",
  "cleanup",
  "interrupted",
  "progress",
  "summary",
  "found",
  "events",
  "plugin",
  "prompt",
];

/** The screen that the help was asked on comes first. */
function helpRows(state: AppState): readonly HelpRow[] {
  const { screens } = state;
  if (screens.at(-1) !== "help") return NO_ROWS.help;
  const here = screens.at(-2) ?? "sessions";
  const places: (KeyPlace | "everywhere")[] = [
    here,
    "everywhere",
    ...HELP_PLACES.filter((place) => place !== here),
  ];
  return places.flatMap((place) => [
    { key: place, place },
    ...bindingsOf(place, state).map((binding) => ({ key: `${place} ${binding.action}`, place, binding })),
  ]);
}
