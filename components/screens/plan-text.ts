import { type AppState, type Confirmation, type PlanProgress, SHOWN_AFTER } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";

/** What stands where a plan's rows will be: how far it is, or why there is none. */
export function unplannedText(
  { work, now }: AppState,
  words: Words,
  howFar: (progress: PlanProgress) => string,
): string {
  if (work.kind === "failed") {
    const { failed } = work.during === "planning" ? words.preview : words.summary;
    return failed(work.problem);
  }
  if (work.kind === "planned") return words.empty.preview;
  if (work.kind !== "planning") return "";
  const isQuick = now - work.since < SHOWN_AFTER || work.progress === undefined;
  return isQuick ? words.preview.planning : howFar(work.progress);
}

/** What it takes to carry a plan out. */
export function howToPrune(plugin: AppState["plugin"], { typed, parts }: Confirmation, words: Words): string {
  if (plugin.state === "missing") return words.messagesToUser.pluginMissing;
  return typed ? words.preview.irreversibleTyped(parts) : words.preview.irreversible;
}
