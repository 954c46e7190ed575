import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OpenedDatabase } from "../../database/index.ts";
import { JOBS_NAME, type JobsLimits, openJobs } from "./open-jobs.ts";
import { type JobStatements, prepareJobStatements } from "./statements.ts";

/** The file of jobs, opened when it is first needed. */
export class JobFile {
  readonly #folder: string;
  readonly #limits: JobsLimits | undefined;
  #opened: OpenedDatabase | undefined;
  #statements: JobStatements | undefined;

  constructor(folder: string, limits?: JobsLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  get opened(): OpenedDatabase {
    this.#opened ??= openJobs(this.#folder, this.#limits);
    return this.#opened;
  }

  get exists(): boolean {
    return this.#opened !== undefined || existsSync(join(this.#folder, JOBS_NAME));
  }

  get problems(): readonly string[] {
    return this.#opened?.problems ?? [];
  }

  get statements(): JobStatements {
    this.#statements ??= prepareJobStatements(this.opened.database);
    return this.#statements;
  }

  /** Runs the work under the write lock: all of it is kept, or none when it throws. */
  write<Result>(work: (statements: JobStatements) => Result): Result {
    const { statements } = this;
    return this.opened.database.transaction(() => work(statements)).immediate();
  }

  /** As `write`, and what was written survives that the machine stops. Costs a wait for the disk. */
  writeForGood<Result>(work: (statements: JobStatements) => Result): Result {
    const { database } = this.opened;
    database.pragma("synchronous = FULL");
    try {
      return this.write(work);
    } finally {
      database.pragma("synchronous = NORMAL");
    }
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
    this.#statements = undefined;
  }
}
