import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isLoopback } from "../../opencode/index.ts";
import { databasePath } from "../../plugin/database-path.ts";
import type { SqliteConnection } from "../../plugin/sqlite.ts";
import type { DocumentBody } from "../documents/index.ts";
import { quantities } from "../words.ts";
import type { Area } from "./check.ts";
import { openReadOnly } from "./read-only-database.ts";
import { modeText } from "./server.ts";

export interface FoundDatabase {
  readonly path: string;
  readonly connection: SqliteConnection;
}

/**
 * Opens the daemon's database without the possibility to write. Where it is follows from the same rules that the
 * daemon has (`OPENCODE_DB`, then `opencode.db` in the data folder), applied to our environment; that it is the
 * right one shows by a session of the server being in it.
 */
export function findDatabase(
  area: Area,
  baseUrl: string,
  knownSession: string | undefined,
): FoundDatabase | undefined {
  const name = "database file";
  if (!isLoopback(new URL(baseUrl).hostname)) {
    area.ok(name, "not looked at, since the server is on another machine");
    return undefined;
  }
  const path = databasePath({
    option: undefined,
    channel: undefined,
    environment: process.env,
    platform: process.platform,
  });
  const todo = "set OPENCODE_DB to the path that the server uses, and run this again";
  if (path === undefined || !existsSync(path)) {
    area.warn(name, `not found${path === undefined ? "" : ` at ${path}`}`, todo);
    return undefined;
  }
  // Reading a database in WAL mode without these files would make them.
  if (!existsSync(`${path}-shm`)) {
    area.warn(name, `${path} is not in use by any server`, todo);
    return undefined;
  }
  try {
    const connection = openReadOnly(path);
    if (knownSession === undefined || has(connection, knownSession)) {
      const { mode } = statSync(path);
      const isPrivate = process.platform === "win32" || (mode & 0o077) === 0;
      if (isPrivate) area.ok(name, `${path}, mode ${modeText(mode)}`);
      else {
        area.warn(
          name,
          `${path} has mode ${modeText(mode)}: other users of this machine may read your history`,
          "take their rights away with `chmod 600`",
        );
      }
      return { path, connection };
    }
    connection.close();
    area.warn(name, `${path} does not hold the server's sessions`, todo);
  } catch (error) {
    const { code } = error as { code?: unknown };
    area.fail(
      name,
      `${path} cannot be read (${String(code ?? "unknown reason")})`,
      "look at its owner and mode",
    );
  }
  return undefined;
}

function has(connection: SqliteConnection, sessionID: string): boolean {
  return connection.prepare("SELECT 1 AS found FROM session_v2 WHERE id = ?").get(sessionID) !== undefined;
}

/** How large it is, how much of it is free, and what giving that back to the disk would take. */
export async function checkSize(
  area: Area,
  { path, connection }: FoundDatabase,
): Promise<NonNullable<DocumentBody<"doctor">["database"]>> {
  const pragma = (name: string) =>
    Number(Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  const pageSize = pragma("page_size");
  const pages = pragma("page_count");
  const freePages = pragma("freelist_count");
  const size = {
    bytes: pages * pageSize,
    writeAheadLogBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: freePages * pageSize,
    // The copy that VACUUM makes, and the log through which it goes into place.
    vacuumNeedsBytes: 2 * (pages - freePages) * pageSize,
  };
  area.ok(
    "size",
    `${quantities.bytes(size.bytes)} and ${quantities.bytes(size.writeAheadLogBytes)} of write-ahead log; ${quantities.bytes(size.freeBytes)} are free pages, which OpenCode uses again`,
  );
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const needs = `pruning does not shrink the file; VACUUM does, needs up to ${quantities.bytes(size.vacuumNeedsBytes)} of free disk space (${quantities.bytes(free)} are free), and OpenCode must not run meanwhile`;
  if (free >= size.vacuumNeedsBytes) area.ok("VACUUM", needs);
  else area.warn("VACUUM", needs, "free disk space before you run it");
  return size;
}
