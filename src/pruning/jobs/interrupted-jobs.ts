import * as z from "zod";
import type { InterruptedJob } from "./job.ts";
import type { JobFile } from "./job-file.ts";
import type { JobRow } from "./statements.ts";

const MOST_JOBS = 20;
const MOST_ROWS = 200;

const Interrupted = z
  .object({
    id: z.string().min(1).max(64),
    created: z.number().int(),
    state: z.enum(["more_to_do", "unknown"]),
    owner: z.string().min(1).nullable(),
    expires: z.number().int().nullable(),
  })
  .refine(({ owner, expires }) => (owner === null) === (expires === null))
  .refine(({ owner, state }) => owner === null || state === "unknown");

/**
 * The jobs that nobody works on and that are not finished, oldest first. A row that cannot be understood is
 * quarantined, which keeps it and never looks at it again, and the scan goes on behind it.
 */
export function interruptedJobs(file: JobFile, server: string, now: number): readonly InterruptedJob[] {
  const jobs: InterruptedJob[] = [];
  const rows = file.read(({ interrupted }) => interrupted.all({ server, now, limit: MOST_ROWS }));
  for (const row of rows) {
    if (jobs.length === MOST_JOBS) break;
    const job = understood(file, row);
    const { id, owner, expires } = row;
    if (!job) file.write(({ quarantineJob }) => quarantineJob.run({ id, reason: REASON, now }));
    else if (job.left.messages > 0) jobs.push(job);
    else file.write(({ finishCutOff }) => finishCutOff.run({ id, owner, expires, now }));
  }
  return jobs;
}

const REASON = "its state and its claim are not those of a job";

function understood(file: JobFile, row: JobRow): InterruptedJob | undefined {
  const parsed = Interrupted.safeParse(row);
  const amounts = file.read(({ left }) => left.get(row.id));
  if (!parsed.success || !amounts) return undefined;
  const { id: jobID, created, state, owner, expires } = parsed.data;
  return {
    jobID,
    created,
    state,
    ...(owner === null || expires === null ? {} : { expired: { jobID, owner, expires } }),
    left: amounts,
  };
}
