import { type DatabaseWords, type OpenedDatabase, openDatabase } from "../../database/index.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

export const JOBS_NAME = "jobs.db";
/** 4 KiB each: 1 GiB, which is room for some four million requests. */
const MOST_PAGES = 262_144;

export interface JobsLimits {
  readonly pages?: number;
}

/** Opens the file of cleanup jobs in a folder, making or upgrading it. */
export function openJobs(folder: string, { pages = MOST_PAGES }: JobsLimits = {}): OpenedDatabase {
  return openDatabase({
    folder,
    name: JOBS_NAME,
    applicationID: APPLICATION_ID,
    migrations: MIGRATIONS,
    pages,
    patience: 2_000,
    words: WORDS,
  });
}

export const WORDS: DatabaseWords = {
  newer: (path, version, known) =>
    `The cleanup jobs ${path} were written by a newer opencode-prune (version ${version}, this one knows ${known}) and are left as they are; a cleanup of this run that is cut off cannot be resumed, so update opencode-prune.`,
  setAside: (path, why, moved) =>
    `The cleanup jobs ${path} could not be read (${why}) and were set aside as ${moved}; a cleanup that was cut off before cannot be resumed, so plan it anew.`,
  unusable: (path, why) =>
    `The cleanup jobs ${path} cannot be used (${why}); a cleanup of this run that is cut off cannot be resumed, so look at the folder's permissions and free space.`,
};
