import {
  type DatabaseWords,
  type OpenedDatabase,
  type OwnDatabase,
  openDatabase as open,
} from "../database/index.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

export { isBusy, isDamage, type OpenedDatabase, reasonOf, setAside } from "../database/index.ts";

export type CacheDatabase = OwnDatabase;

export const DATABASE_NAME = "cache.db";
/** 4 KiB each: the cache never takes more than 1 GiB. */
const MOST_PAGES = 262_144;

export interface DatabaseLimits {
  readonly pages?: number;
}

/** Opens the cache's database in a folder, making or upgrading it. */
export function openDatabase(folder: string, { pages = MOST_PAGES }: DatabaseLimits = {}): OpenedDatabase {
  return open({
    folder,
    name: DATABASE_NAME,
    applicationID: APPLICATION_ID,
    migrations: MIGRATIONS,
    pages,
    // The screen stands still meanwhile.
    patience: 100,
    words: WORDS,
  });
}

const WORDS: DatabaseWords = {
  newer: (path, version, known) =>
    `The cache ${path} was written by a newer opencode-prune (version ${version}, this one knows ${known}); it is left as it is and this run keeps its cache in memory, so update opencode-prune.`,
  setAside: (path, why, moved) =>
    `The cache ${path} could not be read (${why}); it was set aside as ${moved} and a new one begun, and nothing but time to read again is lost.`,
  unusable: (path, why) =>
    `The cache ${path} cannot be used (${why}); this run keeps it in memory, so look at the folder's permissions and free space.`,
};
