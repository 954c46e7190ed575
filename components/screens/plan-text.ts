import type { AppState, Confirmation, Work } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";

/** Why there is no plan, or no result of one. */
export function failureText(work: Extract<Work, { kind: "failed" }>, words: Words): string {
  return work.during === "planning" ? words.preview.failed(work.problem) : words.summary.failed(work.problem);
}

/** What it takes to carry a plan out. */
export function howToPrune(plugin: AppState["plugin"], { typed, parts }: Confirmation, words: Words): string {
  if (plugin.state === "missing") return words.messagesToUser.pluginMissing;
  return typed ? words.preview.irreversibleTyped(parts) : words.preview.irreversible;
}
