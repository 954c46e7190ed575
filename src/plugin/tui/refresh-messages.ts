import type { SessionMessages } from "./screen-host.ts";

/**
 * Reads the messages of a session again that are no longer current. The UI then holds the newest page alone, so
 * older messages that were loaded before are loaded once more: whoever had scrolled up to them finds them there.
 */
export async function refreshMessages(messages: SessionMessages, sessionID: string): Promise<void> {
  const loaded = () => messages.list(sessionID).length;
  const before = loaded();
  const all = messages.more?.(sessionID) === false;
  await messages.sync(sessionID);
  while (loaded() < before && messages.more?.(sessionID)) {
    const reached = loaded();
    await messages.loadMore?.(sessionID, { all });
    if (loaded() <= reached) return;
  }
}
