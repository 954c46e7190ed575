import Database from "better-sqlite3";

/** Every row of every table: table, then primary key, then column, then the value's type and bytes. */
export type StoredDatabase = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, string>>>>;

/** Reads a daemon's whole database, directly and without changing it. */
export function readDatabase(path: string): StoredDatabase {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
    return new Map((names.all() as string[]).map((name) => [name, readTable(database, name)]));
  } finally {
    database.close();
  }
}

function readTable(database: Database.Database, table: string) {
  const columns = database.pragma(`table_info("${table}")`) as { name: string; pk: number }[];
  const values = columns.map(({ name }) => `typeof("${name}") || ' ' || hex("${name}") AS "${name}"`);
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
  const key = keys.length > 0 ? keys.join(" || ' ' || ") : "rowid";
  const rows = database.prepare(`SELECT ${key} AS ":key", ${values.join(", ")} FROM "${table}"`).all();
  return new Map(
    (rows as Record<string, string>[]).map(({ ":key": id, ...row }) => [String(id), row] as const),
  );
}

/** What differs, one line each: `table key: column, column`, `table key: added` or `table key: gone`. */
export function differences(before: StoredDatabase, after: StoredDatabase): string[] {
  const found: string[] = [];
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const rowsBefore = before.get(table) ?? new Map();
    const rowsAfter = after.get(table) ?? new Map();
    for (const key of new Set([...rowsBefore.keys(), ...rowsAfter.keys()])) {
      const row = rowsBefore.get(key);
      const now = rowsAfter.get(key);
      const what =
        row === undefined
          ? "added"
          : now === undefined
            ? "gone"
            : Object.keys({ ...row, ...now })
                .filter((column) => row[column] !== now[column])
                .join(", ");
      if (what !== "") found.push(`${table} ${key}: ${what}`);
    }
  }
  return found.sort();
}
