import Database from "better-sqlite3";
import type { SqliteConnection, SqliteRow } from "../../plugin/sqlite.ts";

/** The daemon's database through a connection that cannot write, as the fence's checks read it. */
export function openReadOnly(path: string): SqliteConnection {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 1_000 });
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        get: (...parameters) => statement.get(...parameters) as SqliteRow | undefined,
        all: (...parameters) => statement.all(...parameters) as SqliteRow[],
        run: (...parameters) => ({ changes: statement.run(...parameters).changes }),
      };
    },
    close: () => {
      database.close();
    },
  };
}
