import type { RefusalReason } from "../state/ports.ts";
import type { english } from "./english.ts";

/** The catalogue: every text of the screen, and the numbers, sizes and times in it. */
export type Words = ReturnType<typeof english>;

/** Why something is not pruned, and what to do about it. `directory` is that of the session. */
export function refusalSentence(words: Words, reason: RefusalReason, directory: string): string {
  return reason === "folder_unusable" ? words.folderUnusable(directory) : words.reasons[reason];
}
