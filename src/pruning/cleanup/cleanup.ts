import { randomUUID } from "node:crypto";
import { reasonOf } from "../../database/index.ts";
import { AbortedError, type OpenCodeClient, OpenCodeError } from "../../opencode/index.ts";
import type {
  CleanupPlan,
  CleanupPort,
  MessageReference,
  PruneOptions,
  PruneReport,
} from "../../state/ports.ts";
import { inOrder } from "../in-order.ts";
import {
  type Claim,
  ClaimLostError,
  type InterruptedJob,
  type JobStore,
  type NewJobSession,
} from "../jobs/index.ts";
import { Deliveries, RETRIES, RunTally, TIMEOUT } from "../sending/index.ts";
import { planOf } from "./cleanup-plan.ts";
import { workThrough } from "./cleanup-run.ts";
import { HeldClaim } from "./held-claim.ts";
import { readSession } from "./read-session.ts";
import type { SessionReading } from "./session-reading.ts";

export interface CleanupOptions {
  readonly client: OpenCodeClient;
  /** Where a cleanup is written down before its first request. */
  readonly jobs: JobStore;
  /** Called for every message that was pruned, or may have been: it has to be read again. */
  readonly onPruned?: (message: MessageReference) => void;
  /** Milliseconds before each further attempt when no answer came; half a second, then one, then two by default. */
  readonly retries?: readonly number[];
  /** Milliseconds until an attempt counts as unanswered; 20,000 by default. */
  readonly timeout?: number;
}

export interface Cleanup extends CleanupPort {
  /**
   * The cleanups of this server that were cut off, or stopped with something left, oldest first, at most 20. Reads
   * our own file alone; throws nothing.
   */
  interrupted(): readonly InterruptedJob[];
  /**
   * Reads the sessions of an interrupted cleanup afresh and sends what is left of its requests, the very same ones.
   * Throws a `CleanupError` when somebody else resumed or discarded it meanwhile.
   */
  resume(job: InterruptedJob, options: PruneOptions): Promise<PruneReport>;
  /** Forgets an interrupted cleanup. Answers false when it is none any more. */
  discard(job: InterruptedJob): boolean;
  onProblem(listener: (problem: string) => void): () => void;
}

/** A cleanup cannot be begun or resumed. The message is one sentence that says why and what to do. */
export class CleanupError extends Error {
  override readonly name = "CleanupError";
}

/** Cleaning whole sessions over the plugin's RPC, written down so that a crash loses nothing and repeats nothing. */
export function createCleanup(options: CleanupOptions): Cleanup {
  const { client, jobs, onPruned, retries = RETRIES, timeout = TIMEOUT } = options;
  const listeners = new Set<(problem: string) => void>();
  const requestsOf = new WeakMap<CleanupPlan, readonly NewJobSession[]>();
  const server = client.baseUrl;
  let told = 0;
  let unreadable: string | undefined;

  const tell = (problem: string) => {
    for (const listener of [...listeners]) listener(problem);
  };

  /** What was wrong with the file, once each. */
  function tellOfTheFile(): void {
    const { problems } = jobs;
    for (const problem of problems.slice(told)) tell(problem);
    told = problems.length;
  }

  async function work(
    claimed: Claim,
    job: { readonly messages: number; readonly rereads: boolean },
    { signal, onProgress }: PruneOptions,
  ): Promise<PruneReport> {
    const claim = new HeldClaim(jobs, claimed);
    const tally = new RunTally(job.messages, { onProgress, onPruned });
    const deliveries = new Deliveries(client);
    const { rereads } = job;
    try {
      await workThrough({ client, jobs, deliveries, claim, tally, rereads, retries, timeout, signal });
    } catch (error) {
      if (!(error instanceof AbortedError && signal?.aborted)) tell(whyItStopped(error));
    } finally {
      claim.stop();
    }
    try {
      claim.end();
    } catch (error) {
      // Whoever has the job now ends it; a file that failed was told of, or its claim runs out.
      if (!(error instanceof ClaimLostError)) tell(whyItStopped(error));
    }
    return tally.report();
  }

  const fileProblem = (error: unknown) => `The file of cleanup jobs failed (${reasonOf(error)})`;

  function orNotBegun<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      tellOfTheFile();
      throw new CleanupError(
        `${fileProblem(error)} and nothing was begun; look at the free space, and try again.`,
      );
    }
  }

  function whyItStopped(error: unknown): string {
    if (error instanceof OpenCodeError || error instanceof ClaimLostError) return error.message;
    tellOfTheFile();
    return `${fileProblem(error)} and the cleanup stopped; look at the free space, and resume it at the next start.`;
  }

  return {
    async plan(sessionIDs, signal, onProgress) {
      const deliveries = new Deliveries(client);
      const ids = [...new Set(sessionIDs)];
      let done = 0;
      const progress = () => onProgress?.({ done, total: ids.length });
      progress();
      const sessions = await inOrder(ids, async (sessionID): Promise<readonly [string, SessionReading]> => {
        const reading = await readSession({ client, deliveries, signal, retries }, sessionID);
        done += 1;
        progress();
        return [sessionID, reading];
      });
      const { plan, requests } = planOf(sessions);
      const notDurable = jobs.path === undefined ? jobs.problems.at(-1) : undefined;
      tellOfTheFile();
      const answer: CleanupPlan = { ...plan, ...(notDurable === undefined ? {} : { notDurable }) };
      requestsOf.set(answer, requests);
      return answer;
    },

    async run(plan, run) {
      const sessions = requestsOf.get(plan);
      if (!sessions) throw new CleanupError("This is not a plan that was made here; plan the cleanup again.");
      if (sessions.length === 0) return new RunTally(0).report();
      const claim = orNotBegun(() => jobs.create({ server, sessions }, randomUUID()));
      return work(claim, { messages: plan.messages, rereads: false }, run);
    },

    interrupted() {
      try {
        const found = jobs.interrupted(server);
        unreadable = undefined;
        tellOfTheFile();
        return found;
      } catch (error) {
        tellOfTheFile();
        const problem = `${fileProblem(error)} and interrupted cleanups are not known; look at the file's folder.`;
        // Whoever looks every few seconds is told once.
        if (problem !== unreadable) tell(problem);
        unreadable = problem;
        return [];
      }
    },

    async resume(job, run) {
      const claim = orNotBegun(() => jobs.claim(job, randomUUID()));
      if (!claim) {
        throw new CleanupError(
          "This cleanup is not interrupted any more; another opencode-prune resumed it or discarded it.",
        );
      }
      return work(claim, { messages: job.left.messages, rereads: true }, run);
    },

    discard: (job) => orNotBegun(() => jobs.discard(job)),

    onProblem(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
