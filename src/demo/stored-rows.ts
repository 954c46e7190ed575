import Database from "better-sqlite3";

/** One row of `session_message`, as its bytes lie in the database. */
export interface StoredRow {
  readonly data: Buffer;
  /** The message is complete, so that nobody writes it any more. */
  readonly settled: boolean;
  /** The stored JSON of each text part, in order. */
  readonly texts: readonly string[];
}

/** Every message row of a throwaway daemon's database, by message id. Read directly, not through the daemon. */
export function readStoredRows(database: string): Map<string, StoredRow> {
  return reading(database, (stored) => {
    const rows = stored
      .prepare(
        `SELECT id, CAST(data AS BLOB) AS data,
                type <> 'assistant' OR data ->> '$.time.completed' IS NOT NULL AS settled
           FROM session_message ORDER BY session_id, seq`,
      )
      .all() as { id: string; data: Buffer; settled: number }[];
    const texts = stored
      .prepare(
        `SELECT part.value AS text FROM session_message, json_each(data, '$.content') AS part
          WHERE session_message.id = ? AND session_message.type = 'assistant' AND part.value ->> '$.type' = 'text' ORDER BY part.key`,
      )
      .pluck();
    return new Map(
      rows.map(({ id, data, settled }) => [
        id,
        { data, settled: settled === 1, texts: texts.all(id) as string[] },
      ]),
    );
  });
}

/** The stored bytes with some parts cut out by SQLite itself, and every other byte as it is. */
export function withoutParts(database: string, data: Buffer, indexes: ReadonlySet<number>): Buffer {
  const paths = [...indexes].sort((a, b) => b - a).map((index) => `$.content[${index}]`);
  return reading(database, (stored) => {
    const marks = paths.map(() => "?").join(", ");
    const statement = stored.prepare(`SELECT CAST(json_remove(CAST(? AS TEXT), ${marks}) AS BLOB)`).pluck();
    return statement.get(data, ...paths) as Buffer;
  });
}

function reading<T>(database: string, read: (stored: Database.Database) => T): T {
  const stored = new Database(database, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    return read(stored);
  } finally {
    stored.close();
  }
}
