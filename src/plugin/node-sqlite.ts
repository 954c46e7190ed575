import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type SqliteConnection, SqliteFailure } from "./sqlite.ts";

/** Opens a database with the driver that the daemon's runtime has built in. */
export function openNodeSqlite(path: string): SqliteConnection {
  return connection(() => new DatabaseSync(`${pathToFileURL(path).href}?mode=rw`));
}

/** The same, for reading only. */
export function openNodeSqliteToRead(path: string): SqliteConnection {
  return connection(() => new DatabaseSync(path, { readOnly: true }));
}

function connection(open: () => DatabaseSync): SqliteConnection {
  const database = translated(open);
  return {
    exec: (sql) => translated(() => database.exec(sql)),
    prepare: (sql) => {
      const statement = translated(() => database.prepare(sql));
      return {
        get: (...parameters) => translated(() => statement.get(...parameters) ?? undefined),
        all: (...parameters) => translated(() => statement.all(...parameters)),
        run: (...parameters) => translated(() => ({ changes: Number(statement.run(...parameters).changes) })),
      };
    },
    close: () => database.close(),
  };
}

function translated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: unknown };
    if (typeof errcode !== "number") throw error;
    throw new SqliteFailure(errcode & 0xff, error instanceof Error ? error.message : String(error));
  }
}
