import type { AppState } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";

/** A session's title as the daemon has it: foreign text. */
export function sessionTitle(
  { history }: Pick<AppState, "history">,
  sessionID: string,
  words: Words,
): string {
  const session = history.sessions.get(sessionID);
  if (session === undefined) return words.unknownSession;
  return session.title || words.untitled;
}
