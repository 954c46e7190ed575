import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDamage, type OpenedDatabase, reasonOf, setAside } from "../../database/index.ts";
import { JOBS_NAME, type JobsLimits, openJobs, WORDS } from "./open-jobs.ts";
import { type JobStatements, prepareJobStatements } from "./statements.ts";

/**
 * The file of jobs, opened when it is first needed. When it turns out to be damaged while it is used, it is set
 * aside, what was under way fails, and the next use begins a new one.
 */
export class JobFile {
  readonly #folder: string;
  readonly #limits: JobsLimits | undefined;
  readonly #problems: string[] = [];
  #opened: OpenedDatabase | undefined;
  #statements: JobStatements | undefined;

  constructor(folder: string, limits?: JobsLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Whether there is something to read, without making anything. */
  get exists(): boolean {
    return this.#opened !== undefined || existsSync(join(this.#folder, JOBS_NAME));
  }

  /** Undefined when everything is held in memory. */
  get path(): string | undefined {
    return this.#open().path;
  }

  /** What was wrong with the file so far, each in one sentence. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  read<Result>(work: (statements: JobStatements) => Result): Result {
    try {
      const { database } = this.#open();
      this.#statements ??= prepareJobStatements(database);
      return work(this.#statements);
    } catch (error) {
      if (isDamage(error)) this.#setAside(error);
      throw error;
    }
  }

  /** Runs the work under the write lock: all of it is kept, or none when it throws. */
  write<Result>(work: (statements: JobStatements) => Result): Result {
    return this.read((statements) => {
      const { database } = this.#open();
      return database.transaction(() => work(statements)).immediate();
    });
  }

  /** As `write`, and what was written survives that the machine stops. Costs a wait for the disk. */
  writeForGood<Result>(work: (statements: JobStatements) => Result): Result {
    const { database } = this.#open();
    database.pragma("synchronous = FULL");
    try {
      return this.write(work);
    } finally {
      if (database.open) database.pragma("synchronous = NORMAL");
    }
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
    this.#statements = undefined;
  }

  #open(): OpenedDatabase {
    if (this.#opened === undefined) {
      this.#opened = openJobs(this.#folder, this.#limits);
      this.#problems.push(...this.#opened.problems);
    }
    return this.#opened;
  }

  #setAside(error: unknown): void {
    const { path, inode } = this.#open();
    this.close();
    if (path === undefined) return;
    try {
      this.#problems.push(WORDS.setAside(path, reasonOf(error), setAside(path, inode)));
    } catch (failure) {
      this.#problems.push(WORDS.unusable(path, reasonOf(failure)));
    }
  }
}
