import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { DatabaseFile } from "./database-file.ts";
import { isDamage, reasonOf } from "./failure.ts";
import { setAside } from "./set-aside.ts";
import { NewerVersion, retryWhileBusy, stateOf, UPGRADE_PATIENCE, upgrade } from "./upgrade.ts";

export type OwnDatabase = Database.Database;

export interface OpenedDatabase {
  readonly database: OwnDatabase;
  /** Tells the file from one that another process puts in its place; 0 without a file. */
  readonly inode: number;
  /** The file, or undefined when everything is held in memory until the app ends. */
  readonly path: string | undefined;
  /** What was wrong with the file, each in one sentence. */
  readonly problems: readonly string[];
}

/**
 * Opens a database of ours, making or upgrading its file. Whatever is wrong with the file, the answer is a database
 * that works: a damaged or foreign file is renamed and a new one begun, a newer one is left as it is, and where no
 * file can be had everything stays in memory.
 */
export function openDatabase(file: DatabaseFile): OpenedDatabase {
  const path = join(file.folder, file.name);
  const problems: string[] = [];
  try {
    mkdirSync(file.folder, { recursive: true, mode: 0o700 });
    chmodSync(file.folder, 0o700);
    // Twice: once for a file that had to be set aside, once for the new one.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const found = openFile(path, file);
      if (found.kind === "ready") return { ...found, path, problems };
      if (found.kind === "newer") {
        problems.push(file.words.newer(path, found.version, file.migrations.length));
        return inMemory(file, problems);
      }
      const moved = setAside(path, found.inode);
      problems.push(file.words.setAside(path, found.why, moved));
    }
  } catch (error) {
    problems.push(file.words.unusable(path, reasonOf(error)));
  }
  return inMemory(file, problems);
}

type FoundFile =
  | { readonly kind: "ready"; readonly database: OwnDatabase; readonly inode: number }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "unusable"; readonly why: string; readonly inode: number };

function openFile(path: string, file: DatabaseFile): FoundFile {
  // SQLite gives its companion files the mode of the main one.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const { ino: inode } = statSync(path);
  let database: OwnDatabase | undefined;
  try {
    database = new Database(path, { timeout: UPGRADE_PATIENCE });
    const state = stateOf(database, file);
    if (state.kind === "ours" || state.kind === "new") {
      retryWhileBusy(() => database?.pragma("journal_mode = WAL"));
      configure(database);
      upgrade(database, file);
      database.pragma(`max_page_count = ${file.pages}`);
      database.pragma(`busy_timeout = ${file.patience}`);
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

function inMemory(file: DatabaseFile, problems: readonly string[]): OpenedDatabase {
  const database = new Database(":memory:");
  configure(database);
  upgrade(database, file);
  return { database, inode: 0, path: undefined, problems };
}

function configure(database: OwnDatabase): void {
  database.pragma("foreign_keys = ON");
  database.pragma("secure_delete = ON");
  // With a write-ahead log this can lose the last writes when the machine stops, and never damages the file.
  database.pragma("synchronous = NORMAL");
}
