import type { PruningDatabase } from "./pruning-database.ts";

const READ = `SELECT CASE typeof(data) WHEN 'text' THEN CAST(data AS BLOB) END AS bytes
  FROM session_message WHERE id = ?`;

/**
 * The text of a message's row; `undefined` where there is none, or it is not stored as text. Fetched as bytes: the
 * daemon's driver takes three times as long to hand the same characters over as a string.
 */
export function storedText(database: PruningDatabase, messageID: string): string | undefined {
  const bytes = database.statement(READ).get(messageID)?.bytes;
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
