import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { APPLICATION_ID, cacheFolder, DATABASE_NAME, MIGRATIONS } from "../../cache/index.ts";
import { JOBS_NAME } from "../../pruning/index.ts";
import { stateFolderPath } from "../state-folder.ts";
import type { Area } from "./check.ts";
import { modeText } from "./server.ts";

/** What the app keeps on disk: whether it is there, understood, and for its user alone. Nothing is made or opened. */
export function checkFiles(area: Area, environment: NodeJS.ProcessEnv): void {
  const cache = cacheFolder(environment);
  const database = join(cache, DATABASE_NAME);
  checkCache(area, database);
  checkMode(area, "cache folder", cache, 0o700);
  checkMode(area, "cache file", database, 0o600);
  const state = stateFolderPath(environment);
  checkMode(area, "state folder", state, 0o700);
  checkMode(area, "cleanup jobs", join(state, JOBS_NAME), 0o600);
}

function checkCache(area: Area, path: string): void {
  const header = headerOf(path);
  if (header === undefined) {
    area.ok("cache", "there is none yet");
    return;
  }
  const todo =
    "nothing has to be done: the app sets it aside and begins a new one, since everything in it can be read again";
  const { length } = header;
  const isOurs = length === HEADER && header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
  const version = length === HEADER ? header.readUInt32BE(VERSION_AT) : 0;
  // A new cache's header may still be in the write-ahead log.
  if (length === 0) area.ok("cache", "is being made");
  else if (!isOurs) area.warn("cache", `${path} is damaged or not ours`, todo);
  else if (version > MIGRATIONS.length) {
    area.warn("cache", `was written by a newer opencode-prune (version ${version})`, "update opencode-prune");
  } else area.ok("cache", `version ${version}`);
}

/** Where SQLite's file format keeps what `PRAGMA application_id` and `user_version` say. */
const HEADER = 100;
const VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

function headerOf(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const header = Buffer.alloc(HEADER);
    return header.subarray(0, readSync(file, header, 0, HEADER, 0));
  } finally {
    closeSync(file);
  }
}

function checkMode(area: Area, name: string, path: string, wanted: number): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || process.platform === "win32") return;
  if ((mode & 0o777 & ~wanted) === 0) area.ok(name, `${path}, mode ${modeText(mode)}`);
  else {
    area.warn(
      name,
      `${path} has mode ${modeText(mode)}: other users of this machine may look into it`,
      `take their rights away with \`chmod ${wanted.toString(8)}\``,
    );
  }
}
