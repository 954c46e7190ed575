import { MAX_MESSAGE_BYTES } from "../contract/index.ts";
import type { PruningDatabase } from "./pruning-database.ts";
import { readStoredMessage, readStoredMessageInSlices, type StoredMessage } from "./stored-message.ts";
import { storedText } from "./stored-text.ts";

/** Smaller messages are read within the transaction: that takes a few milliseconds at most. */
const LARGE = 256 * 1024;

/**
 * Reads a large message before any lock is taken, in slices, so that neither the daemon's event loop nor a writer
 * waits for it. The transaction uses it only if it finds the same characters stored. Answers `undefined` for
 * a message that is not large, or not there.
 */
export async function readAhead(
  database: PruningDatabase,
  messageID: string,
): Promise<StoredMessage | undefined> {
  const bytes = storedBytes(database, messageID);
  if (bytes <= LARGE || bytes > MAX_MESSAGE_BYTES) return undefined;
  const text = storedText(database, messageID);
  return text === undefined ? undefined : readStoredMessageInSlices(text);
}

/** Reads a message that is not large. Answers `undefined` for another, and for one that is not there or not readable. */
export function readAtOnce(database: PruningDatabase, messageID: string): StoredMessage | undefined {
  if (storedBytes(database, messageID) > LARGE) return undefined;
  const text = storedText(database, messageID);
  return text === undefined ? undefined : readStoredMessage(text);
}

function storedBytes(database: PruningDatabase, messageID: string): number {
  const row = database
    .statement("SELECT octet_length(data) AS bytes FROM session_message WHERE id = ?")
    .get(messageID);
  return Number(row?.bytes ?? 0);
}
