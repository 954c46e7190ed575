import type { RefusalReason } from "../../state/ports.ts";
import type { SessionRequest, SizedRequest } from "../sending/index.ts";

/** What a cleanup will ask for, before it asks for any of it. */
export interface NewJob {
  /** Which server the requests go to: its address. */
  readonly server: string;
  readonly sessions: readonly NewJobSession[];
}

export interface NewJobSession {
  readonly sessionID: string;
  readonly directory: string;
  readonly requests: readonly SizedRequest[];
}

/**
 * `finished`: every request has its outcome. `more_to_do`: it was left in order, with requests that were certainly
 * not sent. `unknown`: it was cut off, or a request got no answer; what happened has to be read.
 */
export type JobState = "finished" | "more_to_do" | "unknown";

/** The right to work on a job until `expires`, in milliseconds since the epoch. Only this very one may write. */
export interface Claim {
  readonly jobID: string;
  readonly owner: string;
  readonly expires: number;
}

/** A request of a job that has no outcome yet. */
export interface OpenRequest extends SessionRequest {
  readonly position: number;
}

/** A page of a job's requests that have no outcome yet. */
export interface OpenRequests {
  readonly requests: readonly OpenRequest[];
  /** Those that cannot be understood: they have to be quarantined, so that they are not met again. */
  readonly unreadable: readonly UnreadableRequest[];
}

export interface UnreadableRequest {
  readonly position: number;
  readonly sessionID: string;
  readonly messageID: string;
  readonly problem: string;
}

/** What becomes of a request. `to_do` takes back one that was certainly not done. */
export type Settlement = { readonly position: number } & (
  | { readonly state: "pruned" }
  | { readonly state: "refused"; readonly reason: RefusalReason }
  | { readonly state: "to_do" }
  | { readonly state: "quarantined"; readonly reason: string }
);

/** A job that nobody works on and that is not finished. */
export interface InterruptedJob {
  readonly jobID: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly state: Exclude<JobState, "finished">;
  /** The claim that ran out; absent when the job was left in order. */
  readonly expired?: Claim;
  /** What has no outcome yet. */
  readonly left: {
    readonly sessions: number;
    readonly messages: number;
    readonly parts: number;
    readonly bytes: number;
  };
}

/** Somebody else has the job, it was finished or discarded, or the lease ran out. Nothing was written. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
  constructor(readonly jobID: string) {
    super(
      `The cleanup ${jobID} is no longer this program's; another opencode-prune may have taken it over, so look there, or plan again.`,
    );
  }
}
