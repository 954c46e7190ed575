import { type Message, NotFoundError, type OpenCodeClient, sessionPages } from "../opencode/index.ts";
import { CommandFailure } from "./failure.ts";

/** Sessions asked at the same time. */
const READERS = 8;

/** OpenCode looks a message up in a session only, so that every session is asked for it, the newest first. */
export async function locateMessage(
  client: OpenCodeClient,
  messageID: string,
  signal: AbortSignal,
): Promise<{ readonly sessionID: string; readonly message: Message }> {
  for await (const page of sessionPages(client, { signal })) {
    const queue = page.values();
    let found: { sessionID: string; message: Message } | undefined;
    const ask = async () => {
      for (const { id: sessionID } of queue) {
        if (found) return;
        try {
          const message = await client.session.message({ sessionID, messageID }, { signal });
          found ??= { sessionID, message };
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: READERS }, ask));
    if (found) return found;
  }
  throw new CommandFailure(
    `There is no message ${messageID} in any session; list a session's with \`opencode-prune parts SESSION\`.`,
  );
}
