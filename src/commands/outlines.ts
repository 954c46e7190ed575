import { type MessageOutline, outlineMessage } from "../contract/index.ts";
import { assistantPages, isAssistant, type OpenCodeClient } from "../opencode/index.ts";

/** The outlines of a session's assistant messages, oldest first. Content is dropped page by page. */
export async function readOutlines(
  client: OpenCodeClient,
  sessionID: string,
  signal?: AbortSignal,
): Promise<readonly MessageOutline[]> {
  const outlines: MessageOutline[] = [];
  for await (const page of assistantPages(client, sessionID, { signal })) {
    outlines.push(...page.filter(isAssistant).map(outlineMessage));
  }
  return outlines;
}
