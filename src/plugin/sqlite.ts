/** The little that the plugin needs of a synchronous SQLite driver, so that tests can run it on another one. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  get(...parameters: SqliteValue[]): SqliteRow | undefined;
  all(...parameters: SqliteValue[]): SqliteRow[];
  run(...parameters: SqliteValue[]): { readonly changes: number };
}

export type SqliteValue = string | number | null;
export type SqliteRow = Readonly<Record<string, unknown>>;

/** Opens an existing file for reading and writing, without waiting for anybody's lock. Never creates one. */
export type OpenSqlite = (path: string) => SqliteConnection;

/** What SQLite refused, with its primary result code (https://sqlite.org/rescode.html). */
export class SqliteFailure extends Error {
  constructor(
    readonly resultCode: number,
    message: string,
  ) {
    super(message);
    this.name = "SqliteFailure";
  }
}

export const SQLITE_ERROR = 1;
export const SQLITE_BUSY = 5;
export const SQLITE_LOCKED = 6;
export const SQLITE_NOMEM = 7;
export const SQLITE_IOERR = 10;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;

export function isBusy(resultCode: number): boolean {
  return resultCode === SQLITE_BUSY || resultCode === SQLITE_LOCKED;
}
