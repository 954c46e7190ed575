import { canonicalJson, type Json } from "../contract/index.ts";
import type { PruningDatabase, Schema } from "./pruning-database.ts";
import type { StoredMessage, StoredPart } from "./stored-message.ts";

/**
 * Media that the runtime keeps outside the message: content names it as `media:<sha256>`, `blob` holds it, and
 * a row of `blob_ref` says that a message uses it. OpenCode 2.0.15 has no such tables. The shape below is that
 * of our own fixture, and has not been validated on a runtime that has them; any other shape is not recognised.
 */
const MEDIA_TABLES: Readonly<Record<string, readonly string[]>> = {
  blob: ["hash", "mime", "size", "data", "time_created"],
  blob_ref: ["hash", "session_id", "message_id"],
};

const SCHEME = "media:";
const REFERENCE = /media:([0-9a-f]{64})/g;

export function recognisesMediaTables(schema: Schema): boolean {
  return Object.entries(MEDIA_TABLES).every(([name, columns]) => {
    const shape = schema.tables.get(name);
    return (
      shape?.isTable === true &&
      shape.columns.size === columns.length &&
      columns.every((column) => shape.columns.has(column))
    );
  });
}

/** Whether any string of the parts names media, however it is escaped in the stored text. */
export function namesMedia(parts: readonly StoredPart[]): boolean {
  return parts.some((part) => hashesIn(part.canonical).length > 0);
}

/** The media that the removed parts name and nothing else of the message does. */
export function releasedMedia(
  message: StoredMessage,
  indexes: readonly number[],
  textAfter: string,
): readonly string[] {
  const removed = new Set<string>();
  for (const index of indexes)
    for (const hash of hashesIn(message.parts[index]?.canonical ?? "")) removed.add(hash);
  if (removed.size === 0) return [];
  for (const hash of hashesIn(canonicalJson(JSON.parse(textAfter) as Json))) removed.delete(hash);
  return [...removed];
}

/** Takes the message's references away, and each blob that nobody refers to any more. */
export function releaseMedia(database: PruningDatabase, messageID: string, hashes: readonly string[]): void {
  for (const hash of hashes) {
    const released = database
      .statement("DELETE FROM blob_ref WHERE hash = ? AND message_id = ?")
      .run(hash, messageID);
    if (released.changes === 0) continue;
    database
      .statement(
        "DELETE FROM blob WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM blob_ref WHERE hash = blob.hash)",
      )
      .run(hash);
  }
}

function hashesIn(canonical: string): readonly string[] {
  // Hardly any part has one, and a search for a word costs a fraction of one for an expression.
  if (!canonical.includes(SCHEME)) return [];
  return Array.from(canonical.matchAll(REFERENCE), (match) => match[1] ?? "");
}
