import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

export type CacheDatabase = Database.Database;

export interface OpenedDatabase {
  readonly database: CacheDatabase;
  /** Tells the file from one that another process puts in its place; 0 without a file. */
  readonly inode: number;
  /** The file, or undefined when everything is held in memory until the app ends. */
  readonly path: string | undefined;
  /** What was wrong with the file, each in one sentence. */
  readonly problems: readonly string[];
}

export const DATABASE_NAME = "cache.db";
/** Milliseconds to wait for another process that upgrades the same file. */
const UPGRADE_PATIENCE = 10_000;
/** Milliseconds to wait for another process's write; the screen stands still meanwhile. */
const WRITE_PATIENCE = 100;
/** 4 KiB each: the cache never takes more than 1 GiB. */
const MOST_PAGES = 262_144;

export interface DatabaseLimits {
  readonly pages?: number;
}

/**
 * Opens the cache's database in a folder, making or upgrading it. Whatever is wrong with the file, the answer is
 * a database that works: a damaged or foreign file is renamed and a new one begun, a newer one is left as it is,
 * and where no file can be had everything stays in memory.
 */
export function openDatabase(folder: string, limits: DatabaseLimits = {}): OpenedDatabase {
  const path = join(folder, DATABASE_NAME);
  const problems: string[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    // Twice: once for a file that had to be set aside, once for the new one.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const found = openFile(path, limits);
      if (found.kind === "ready") return { ...found, path, problems };
      if (found.kind === "newer") {
        problems.push(
          `The cache ${path} was written by a newer opencode-prune (version ${found.version}, this one knows ${MIGRATIONS.length}); it is left as it is and this run keeps its cache in memory, so update opencode-prune.`,
        );
        return inMemory(problems);
      }
      const moved = setAside(path, found.inode);
      problems.push(
        `The cache ${path} could not be read (${found.why}); it was set aside as ${moved} and a new one begun, and nothing but time to read again is lost.`,
      );
    }
  } catch (error) {
    problems.push(
      `The cache ${path} cannot be used (${reasonOf(error)}); this run keeps it in memory, so look at the folder's permissions and free space.`,
    );
  }
  return inMemory(problems);
}

type FoundFile =
  | { readonly kind: "ready"; readonly database: CacheDatabase; readonly inode: number }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "unusable"; readonly why: string; readonly inode: number };

function openFile(path: string, { pages = MOST_PAGES }: DatabaseLimits): FoundFile {
  // SQLite gives its companion files the mode of the main one.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const { ino: inode } = statSync(path);
  let database: CacheDatabase | undefined;
  try {
    database = new Database(path, { timeout: UPGRADE_PATIENCE });
    const state = stateOf(database);
    if (state.kind === "ours" || state.kind === "new") {
      retryWhileBusy(() => database?.pragma("journal_mode = WAL"));
      configure(database);
      upgrade(database);
      database.pragma(`max_page_count = ${pages}`);
      database.pragma(`busy_timeout = ${WRITE_PATIENCE}`);
      return { kind: "ready", database, inode };
    }
    database.close();
    return state.kind === "newer" ? state : { kind: "unusable", why: "it is not ours", inode };
  } catch (error) {
    database?.close();
    if (error instanceof NewerVersion) return { kind: "newer", version: error.version };
    if (isDamage(error)) return { kind: "unusable", why: reasonOf(error), inode };
    throw error;
  }
}

function inMemory(problems: readonly string[]): OpenedDatabase {
  const database = new Database(":memory:");
  configure(database);
  upgrade(database);
  return { database, inode: 0, path: undefined, problems };
}

function configure(database: CacheDatabase): void {
  database.pragma("foreign_keys = ON");
  database.pragma("secure_delete = ON");
  // With a write-ahead log this can lose the last writes when the machine stops, and never damages the file.
  database.pragma("synchronous = NORMAL");
}

type DatabaseState =
  | { readonly kind: "new" }
  | { readonly kind: "ours"; readonly version: number }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "foreign" };

/** Read in one transaction: what another process does in between would look like somebody else's file. */
function stateOf(database: CacheDatabase): DatabaseState {
  return database.transaction(() => readState(database))();
}

function readState(database: CacheDatabase): DatabaseState {
  const application = database.pragma("application_id", { simple: true });
  const version = Number(database.pragma("user_version", { simple: true }));
  if (application === APPLICATION_ID) {
    return version > MIGRATIONS.length ? { kind: "newer", version } : { kind: "ours", version };
  }
  const tables = database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
  return application === 0 && version === 0 && tables === 0 ? { kind: "new" } : { kind: "foreign" };
}

class NewerVersion extends Error {
  constructor(readonly version: number) {
    super(`version ${version}`);
  }
}

/**
 * Applies the migrations that the file lacks, in one transaction. What the file is gets read again under the
 * write lock, since another process may have upgraded it while this one waited.
 */
function upgrade(database: CacheDatabase): void {
  const apply = database.transaction(() => {
    const state = stateOf(database);
    if (state.kind === "newer") throw new NewerVersion(state.version);
    if (state.kind === "foreign") throw new Error("it became somebody else's file");
    const version = state.kind === "ours" ? state.version : 0;
    if (version === MIGRATIONS.length) return;
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  const state = stateOf(database);
  // The common case, which needs no write lock.
  if (state.kind === "ours" && state.version === MIGRATIONS.length) return;
  retryWhileBusy(() => apply.immediate());
}

/** Changing the journal mode does not wait for others, whatever the busy timeout. */
function retryWhileBusy(run: () => unknown): void {
  const end = Date.now() + UPGRADE_PATIENCE;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      run();
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
      Atomics.wait(sleeper, 0, 0, 5 + Math.random() * 20);
    }
  }
}

/** Renames the file and its companions, which keeps them. Answers the new path; throws when that cannot be. */
export function setAside(path: string, inode: number): string {
  const moved = `${path}.set-aside-${new Date().toISOString().replace(/[:.]/g, "-")}-${process.pid}`;
  // Another process may have set it aside meanwhile and begun a new one: that one is left alone.
  if (inodeOf(path) === inode) {
    for (const companion of ["", "-wal", "-shm"]) renameIfThere(path + companion, moved + companion);
  }
  return moved;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(codeOf(error));
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return code === "" ? message : `${message}, ${code}`;
}
