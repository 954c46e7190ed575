import Database from "better-sqlite3";
import {
  type OpenSqlite,
  SQLITE_BUSY,
  SQLITE_CANTOPEN,
  SQLITE_ERROR,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_LOCKED,
  type SqliteConnection,
  SqliteFailure,
  type SqliteRow,
} from "../../../src/plugin/sqlite.ts";

const RESULT_CODES: Readonly<Record<string, number>> = {
  SQLITE_ERROR,
  SQLITE_BUSY,
  SQLITE_LOCKED,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
  SQLITE_READONLY: 8,
  SQLITE_CORRUPT: 11,
  SQLITE_CONSTRAINT: 19,
  SQLITE_NOTADB: 26,
};

/** The plugin's database interface on the driver that Node 20 has. */
export const openBetterSqlite: OpenSqlite = (path) =>
  overBetterSqlite(translated(() => new Database(path, { fileMustExist: true })));

export function overBetterSqlite(database: Database.Database): SqliteConnection {
  return {
    exec: (sql) => {
      translated(() => database.exec(sql));
    },
    prepare: (sql) => {
      const statement = translated(() => database.prepare(sql));
      return {
        get: (...parameters) => translated(() => statement.get(...parameters)) as SqliteRow | undefined,
        all: (...parameters) => translated(() => statement.all(...parameters)) as SqliteRow[],
        run: (...parameters) =>
          translated(() => ({
            changes: statement.reader
              ? statement.all(...parameters).length
              : statement.run(...parameters).changes,
          })),
      };
    },
    close: () => {
      database.close();
    },
  };
}

function translated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const primary = Object.keys(RESULT_CODES).find(
      (name) => error.code === name || error.code.startsWith(`${name}_`),
    );
    throw new SqliteFailure(primary === undefined ? 1 : (RESULT_CODES[primary] ?? 1), error.message);
  }
}

/** A connection that reports every statement before SQLite runs it. */
export function watched(path: string, before: (sql: string) => void): SqliteConnection {
  const connection = overBetterSqlite(new Database(path));
  return {
    ...connection,
    exec: (sql) => {
      before(sql);
      connection.exec(sql);
    },
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      return {
        get: (...parameters) => {
          before(sql);
          return statement.get(...parameters);
        },
        all: (...parameters) => {
          before(sql);
          return statement.all(...parameters);
        },
        run: (...parameters) => {
          before(sql);
          return statement.run(...parameters);
        },
      };
    },
  };
}
