import { onTestFinished } from "vitest";
import { type Cleanup, createCleanup, JobStore } from "../../../../src/pruning/index.ts";
import { temporaryFolder } from "../../jobs/support/jobs.ts";
import type { FakeDaemon } from "./fake-daemon.ts";

export { temporaryFolder };

export interface Cleaning {
  readonly cleanup: Cleanup;
  readonly jobs: JobStore;
  readonly problems: string[];
  /** Messages that were pruned, or may have been. */
  readonly reread: string[];
}

/** A cleanup over a fake daemon, with a file of jobs of its own unless a folder is given. */
export function cleaning(daemon: FakeDaemon, folder = temporaryFolder(), now = Date.now): Cleaning {
  const jobs = new JobStore({ folder, now });
  onTestFinished(() => jobs.close());
  const problems: string[] = [];
  const reread: string[] = [];
  const cleanup = createCleanup({
    client: daemon.client,
    jobs,
    retries: [1, 1],
    onPruned: ({ messageID }) => reread.push(messageID),
  });
  cleanup.onProblem((problem) => problems.push(problem));
  return { cleanup, jobs, problems, reread };
}
