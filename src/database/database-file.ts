/** A SQLite file of ours: where it lies, how it is recognised, and what is said when it cannot be used. */
export interface DatabaseFile {
  readonly folder: string;
  readonly name: string;
  /** Marks it as ours, in its header (`PRAGMA application_id`); another number for each kind of file. */
  readonly applicationID: number;
  /**
   * What brings a file from one version to the next; the version is how many of them were applied
   * (`PRAGMA user_version`). Published ones are never edited.
   */
  readonly migrations: readonly string[];
  /** The most pages, of 4 KiB each, that it may grow to. */
  readonly pages: number;
  /** Milliseconds that a write waits for another process's; the caller stands still meanwhile. */
  readonly patience: number;
  readonly words: DatabaseWords;
}

/** One sentence each, for the user. */
export interface DatabaseWords {
  newer(path: string, version: number, known: number): string;
  setAside(path: string, why: string, moved: string): string;
  unusable(path: string, why: string): string;
}
