import { randomUUID } from "node:crypto";
import { interruptedJobs } from "./interrupted-jobs.ts";
import {
  type Claim,
  ClaimLostError,
  type InterruptedJob,
  type JobState,
  type NewJob,
  type OpenRequests,
  type Settlement,
} from "./job.ts";
import { JobFile } from "./job-file.ts";
import type { JobsLimits } from "./open-jobs.ts";
import type { JobStatements } from "./statements.ts";
import { openRequests, requestToRow } from "./stored-request.ts";

export interface JobStoreOptions {
  /** Such as `~/.local/state/opencode-prune`; made for this user alone. Not with the cache, which anybody may delete. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly limits?: JobsLimits;
}

/** Milliseconds that a claim is good for, from the moment at which it is made or renewed. */
export const LEASE = 30_000;
/** Finished jobs are forgotten after a week, some of them whenever a new one is made. */
const KEPT = 7 * 24 * 3_600_000;
const FORGOTTEN_AT_ONCE = 20;

/**
 * The cleanup jobs of all servers, for all processes of this user. Every change is one immediate transaction that
 * matches the exact live claim. Throws `ClaimLostError`, or what SQLite refuses, with nothing changed.
 */
export class JobStore {
  readonly #file: JobFile;
  readonly #now: () => number;

  constructor({ folder, now = Date.now, limits }: JobStoreOptions) {
    this.#file = new JobFile(folder, limits);
    this.#now = now;
  }

  /** The file, or undefined when jobs are held in memory only and end with this process. */
  get path(): string | undefined {
    return this.#file.path;
  }

  /** What was wrong with the file so far, each in one sentence; none as long as it was not opened. */
  get problems(): readonly string[] {
    return this.#file.problems;
  }

  /** Writes a job down, all of it or nothing, and claims it for `owner`. */
  create(job: NewJob, owner: string): Claim {
    const now = this.#now();
    const claim = { jobID: randomUUID(), owner, expires: now + LEASE };
    this.#file.writeForGood((statements) => insertJob(statements, job, claim, now));
    return claim;
  }

  /** Claims a job that was left in order. Never one whose claim ran out: that is for `recover`. */
  acquire(jobID: string, owner: string): Claim | undefined {
    const expires = this.#now() + LEASE;
    const { changes } = this.#file.write(({ acquire }) => acquire.run({ id: jobID, owner, expires }));
    return changes === 1 ? { jobID, owner, expires } : undefined;
  }

  /** Takes over a claim that ran out, if it is still the one that was seen. */
  recover(expired: Claim, owner: string): Claim | undefined {
    const now = this.#now();
    const expires = now + LEASE;
    const { changes } = this.#file.write(({ recover }) =>
      recover.run({ ...exactly(expired, now), newOwner: owner, newExpires: expires }),
    );
    return changes === 1 ? { jobID: expired.jobID, owner, expires } : undefined;
  }

  /** The same claim with a whole lease from now. */
  renew(claim: Claim): Claim {
    return this.#asOwner(claim, () => {});
  }

  /** Notes that requests are about to be sent; from then on nobody knows, until they are settled. */
  sending(claim: Claim, positions: readonly number[]): Claim {
    return this.#asOwner(claim, ({ setSent }) => {
      for (const position of positions) changedOne(setSent.run(claim.jobID, position));
    });
  }

  /** Notes what became of requests that had no outcome yet. */
  settle(claim: Claim, settlements: readonly Settlement[]): Claim {
    return this.#asOwner(claim, ({ settle }) => {
      for (const one of settlements) {
        const { position, state } = one;
        const reason = "reason" in one ? one.reason : null;
        changedOne(settle.run({ job: claim.jobID, position, state, reason }));
      }
    });
  }

  /** Gives the claim back, and answers the state in which the requests leave the job. */
  end(claim: Claim): JobState {
    return this.#file.write((statements) => {
      const { toDo = 0, sent = 0 } = statements.countOpen.get(claim.jobID) ?? {};
      const state: JobState = sent > 0 ? "unknown" : toDo > 0 ? "more_to_do" : "finished";
      const { changes } = statements.end.run({ ...exactly(claim, this.#now()), state });
      if (changes !== 1) throw new ClaimLostError(claim.jobID);
      return state;
    });
  }

  /** The requests behind a position that have no outcome, in order, at most `limit`. */
  open(jobID: string, after: number, limit: number): OpenRequests {
    return openRequests(this.#file.read(({ open }) => open.all(jobID, after, limit)));
  }

  /**
   * The jobs of a server that nobody works on and that are not finished, oldest first, at most 20. Looking makes no
   * file where there is none.
   */
  interrupted(server: string): readonly InterruptedJob[] {
    if (!this.#file.exists) return [];
    return interruptedJobs(this.#file, server, this.#now());
  }

  /** Claims an interrupted job as it was seen; undefined when it is not that any more. */
  claim({ jobID, expired }: InterruptedJob, owner: string): Claim | undefined {
    return expired ? this.recover(expired, owner) : this.acquire(jobID, owner);
  }

  /** Forgets an interrupted job as it was seen. Answers false when it is not that any more. */
  discard({ jobID, expired }: InterruptedJob): boolean {
    const { owner = null, expires = null } = expired ?? {};
    const { changes } = this.#file.write(({ discard }) =>
      discard.run({ id: jobID, owner, expires, now: this.#now() }),
    );
    return changes === 1;
  }

  close(): void {
    this.#file.close();
  }

  #asOwner(claim: Claim, work: (statements: JobStatements) => void): Claim {
    return this.#file.write((statements) => {
      const now = this.#now();
      const expires = now + LEASE;
      const { changes } = statements.hold.run({ ...exactly(claim, now), newExpires: expires });
      if (changes !== 1) throw new ClaimLostError(claim.jobID);
      work(statements);
      return { ...claim, expires };
    });
  }
}

function insertJob(statements: JobStatements, job: NewJob, claim: Claim, now: number): void {
  const { jobID: id, owner, expires } = claim;
  const { server } = job;
  statements.forgetFinished.run(now - KEPT, FORGOTTEN_AT_ONCE);
  statements.addJob.run({ id, server, created: now, owner, expires });
  let position = 0;
  for (const { sessionID: session, directory, requests } of job.sessions) {
    statements.addSession.run(id, session, directory);
    for (const request of requests) {
      statements.addRequest.run({ job: id, position, session, ...requestToRow(request) });
      position += 1;
    }
  }
  statements.supersede.run({ server, by: id });
  statements.finishEmptied.run(server);
}

function exactly({ jobID: id, owner, expires }: Claim, now: number) {
  return { id, owner, expires, now };
}

function changedOne({ changes }: { readonly changes: number }): void {
  if (changes !== 1) throw new Error("A request of a cleanup is not in the state that it was read in.");
}
