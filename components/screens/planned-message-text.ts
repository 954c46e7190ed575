import { type AppState, type MessageReference, messageIndex } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { sessionTitle } from "./session-title.ts";

/** Which message it is: its place and time where its session's outline is known, its id where it is not. */
export function plannedMessageText(
  { sessionID, messageID }: MessageReference,
  state: AppState,
  words: Words,
): string {
  const outline = state.history.outlines.get(sessionID);
  const index = messageIndex(outline, messageID);
  const message = index === undefined ? undefined : outline?.messages[index];
  const text =
    message === undefined || index === undefined
      ? messageID
      : words.messageNumber(index + 1, words.say.moment(message.created, state.now));
  return sessionID === state.parts?.sessionID
    ? text
    : words.inSession(sessionTitle(state, sessionID, words), text);
}
