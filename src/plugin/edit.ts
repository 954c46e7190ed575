import type { PruningDatabase } from "./pruning-database.ts";
import { SQLITE_ERROR, SqliteFailure } from "./sqlite.ts";

/** More paths than this make one pass over the whole array cheaper than `json_remove`, which searches for each. */
const MOST_PATHS = 16;

export interface Edit {
  readonly messageID: string;
  /** The row's `data` as it was read. */
  readonly before: string;
  /** What must be stored afterwards, character for character. */
  readonly after: string;
  readonly indexes: readonly number[];
}

/**
 * Lets SQLite take the parts out of the stored JSON, if the row is still exactly what was read, and compares
 * what it stored with what must be there. Answers whether both are so; the caller rolls back where they are not.
 */
export function removeParts(database: PruningDatabase, edit: Edit): boolean {
  const indexes = [...edit.indexes].sort((one, other) => other - one);
  const [expression, parameters] =
    indexes.length <= MOST_PATHS
      ? [`json_remove(data${", ?".repeat(indexes.length)})`, indexes.map((index) => `$.content[${index}]`)]
      : [WITHOUT_LISTED, [JSON.stringify(indexes)]];
  try {
    const row = database
      .statement(
        `UPDATE session_message SET data = ${expression}
         WHERE id = ? AND data = ? COLLATE BINARY
         RETURNING data = ? COLLATE BINARY AS faithful`,
      )
      .get(...parameters, edit.messageID, edit.before, edit.after);
    return row?.faithful === 1;
  } catch (error) {
    if (error instanceof SqliteFailure && error.resultCode === SQLITE_ERROR) return false;
    throw error;
  }
}

const WITHOUT_LISTED = `json_set(data, '$.content', (
  SELECT json_group_array(json(part.value)) FROM json_each(data, '$.content') AS part
  WHERE part.key NOT IN (SELECT value FROM json_each(?))))`;
