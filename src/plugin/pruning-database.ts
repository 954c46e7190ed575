import { type BigIntStats, statSync } from "node:fs";
import {
  isBusy,
  type OpenSqlite,
  type SqliteConnection,
  SqliteFailure,
  type SqliteStatement,
} from "./sqlite.ts";

/** An open connection with its statements kept prepared, and the schema as of one schema version. */
export class PruningDatabase {
  readonly #statements = new Map<string, SqliteStatement>();
  #schema: { readonly version: number; readonly schema: Schema } | undefined;
  /** Whether a nonce that the daemon wrote was once visible through this connection. */
  isProven = false;

  constructor(readonly connection: SqliteConnection) {}

  /** Whether anybody holds the write lock now. Throws what SQLite refuses for another reason. */
  isLocked(): boolean {
    try {
      this.statement("BEGIN IMMEDIATE").run();
    } catch (error) {
      if (error instanceof SqliteFailure && isBusy(error.resultCode)) return true;
      throw error;
    }
    this.statement("ROLLBACK").run();
    return false;
  }

  statement(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /**
   * The schema as of this transaction. SQLite raises `schema_version` with every change to it, by whomever, and
   * itself executes by the schema that it read under that number: an equal number is an equal schema.
   */
  schema(): Schema {
    const version = Number(this.statement("PRAGMA main.schema_version").get()?.schema_version);
    if (this.#schema?.version !== version) {
      this.#statements.clear();
      this.#schema = { version, schema: this.#readSchema() };
    }
    return this.#schema.schema;
  }

  #readSchema(): Schema {
    const tables = new Map<string, TableShape>();
    for (const { name, type } of this.statement(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main'",
    ).all()) {
      const columns = this.statement("SELECT name FROM pragma_table_xinfo(?)").all(String(name));
      tables.set(String(name), {
        isTable: type === "table",
        columns: new Set(columns.map((column) => String(column.name))),
      });
    }
    const triggers = this.statement(
      "SELECT (SELECT count(*) FROM sqlite_schema WHERE type = 'trigger') + (SELECT count(*) FROM sqlite_temp_schema WHERE type = 'trigger') AS count",
    ).get();
    return { tables, triggers: Number(triggers?.count) };
  }
}

export interface Schema {
  readonly tables: ReadonlyMap<string, TableShape>;
  readonly triggers: number;
}

export interface TableShape {
  /** False for a view or a virtual table. */
  readonly isTable: boolean;
  readonly columns: ReadonlySet<string>;
}

export function hasTable(schema: Schema, name: string, columns: readonly string[]): boolean {
  const shape = schema.tables.get(name);
  return shape?.isTable === true && columns.every((column) => shape.columns.has(column));
}

/** Keeps one connection to the database file open, and opens a new one when another file takes its place. */
export class DatabaseKeeper {
  #open: { readonly database: PruningDatabase; readonly file: string } | undefined;
  #ended = false;

  constructor(
    readonly path: string | undefined,
    readonly openSqlite: OpenSqlite,
  ) {}

  /** Answers `undefined` where no such file is, and after `end`. Throws what SQLite refuses. */
  database(): PruningDatabase | undefined {
    if (this.#ended) return undefined;
    const file = this.path === undefined ? undefined : identityOfFile(this.path);
    if (this.#open && this.#open.file === file) return this.#open.database;
    this.close();
    if (this.path === undefined || file === undefined) return undefined;
    const connection = this.openSqlite(this.path);
    try {
      // NORMAL is what the daemon writes with itself: a prune is as durable as the message that it edits. The write
      // of the daemon's that follows every call, of a nonce, copies the log into the file where that is due.
      connection.exec("PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#open = { database: new PruningDatabase(connection), file };
    return this.#open.database;
  }

  /** The next call of `database` opens a new connection. */
  close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.database.connection.close();
  }

  end(): void {
    this.#ended = true;
    this.close();
  }
}

/** A file by device and inode: another one in its place has another. Answers `undefined` where no file is. */
export function identityOfFile(path: string): string | undefined {
  let stats: BigIntStats | undefined;
  try {
    stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
}
