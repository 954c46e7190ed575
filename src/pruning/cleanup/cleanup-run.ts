import type { OpenCodeClient } from "../../opencode/index.ts";
import type { JobStore, OpenRequest, Settlement } from "../jobs/index.ts";
import {
  type Deliveries,
  nextCall,
  ofFirstSession,
  type RunTally,
  refusalOfAll,
  type Sent,
  sendRequests,
} from "../sending/index.ts";
import { confirmRequests } from "./confirm-requests.ts";
import type { HeldClaim } from "./held-claim.ts";
import { readSession } from "./read-session.ts";
import type { SessionReading } from "./session-reading.ts";

export interface CleanupRun {
  readonly client: OpenCodeClient;
  readonly jobs: JobStore;
  readonly deliveries: Deliveries;
  readonly claim: HeldClaim;
  readonly tally: RunTally;
  /** Whether each session is read afresh before anything of it is sent. */
  readonly rereads: boolean;
  readonly retries: readonly number[];
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Requests that are looked at together; more than any call carries. */
const PAGE = 256;

/**
 * Works through a claimed job, one call after the other, until every request has its outcome, the caller stops, or
 * the server is lost. Each step is written down before and after it. Throws what the store or a read throws.
 */
export async function workThrough(run: CleanupRun): Promise<void> {
  let behind = -1;
  let sessionID: string | undefined;
  let reading: SessionReading | undefined;
  run.tally.tell();
  while (!run.signal?.aborted) {
    const requests = ofFirstSession(openRequests(run, behind));
    const [first] = requests;
    if (!first) return;
    if (first.sessionID !== sessionID) {
      ({ sessionID } = first);
      reading = run.rereads ? await readSession(run, sessionID) : undefined;
    }
    const open = reading ? confirm(run, requests, reading) : requests;
    if (open.length === 0) continue;
    const sent = await send(run, open);
    if (run.tally.isLost) return;
    const refused = refusalOfAll(sent);
    if (refused !== undefined) reading = { refused };
    behind = lastReached(sent, behind);
  }
}

/** The next requests without an outcome. What cannot be understood is quarantined on the way. */
function openRequests({ jobs, claim, tally }: CleanupRun, behind: number): readonly OpenRequest[] {
  for (;;) {
    const { requests, unreadable } = jobs.open(claim.jobID, behind, PAGE);
    if (unreadable.length === 0) return requests;
    claim.write((held) =>
      jobs.settle(
        held,
        unreadable.map(({ position, problem }) => ({ position, state: "quarantined", reason: problem })),
      ),
    );
    for (const one of unreadable) tally.unreadable(one);
  }
}

/** Notes what a read of the session tells of its requests; answers those that are to be sent. */
function confirm(
  { jobs, claim, tally }: CleanupRun,
  requests: readonly OpenRequest[],
  reading: SessionReading,
): readonly OpenRequest[] {
  const confirmations = confirmRequests(requests, reading);
  const settlements: Settlement[] = [];
  const open: OpenRequest[] = [];
  requests.forEach((request, at) => {
    const { position } = request;
    const confirmation = confirmations[at] ?? { kind: "unknown" };
    if (confirmation.kind === "refused") {
      settlements.push({ position, state: "refused", reason: confirmation.reason });
      tally.refused(request, confirmation.reason);
    } else {
      if (confirmation.kind === "to_do" && request.wasSent) settlements.push({ position, state: "to_do" });
      open.push({ ...request, wasSent: confirmation.kind === "unknown" });
    }
  });
  if (settlements.length > 0) claim.write((held) => jobs.settle(held, settlements));
  tally.tell();
  return open;
}

/** As many of one session's requests as one call carries. */
async function send(
  run: CleanupRun,
  requests: readonly OpenRequest[],
): Promise<readonly Sent<OpenRequest>[]> {
  const { client, jobs, claim, tally, deliveries, signal, retries, timeout } = run;
  const [first] = requests;
  if (!first) return [];
  const { delivery, batch } = nextCall(await deliveries.of(first.directory), requests);
  const toSend = batch.filter(({ wasSent }) => !wasSent).map(({ position }) => position);
  claim.write((held) => jobs.sending(held, toSend));
  const sent = await sendRequests(client, delivery, batch, { signal, retries, timeout });
  tally.sent(sent);
  claim.write((held) => jobs.settle(held, sent.flatMap(settlementOf)));
  tally.tell();
  return sent;
}

/** What is known of a request after its call. A request of which nothing is known stays sent. */
function settlementOf([{ position }, outcome]: Sent<OpenRequest>): readonly Settlement[] {
  switch (outcome.kind) {
    case "pruned":
      return [{ position, state: "pruned" }];
    case "not_reached":
      return outcome.mayHaveHappened ? [] : [{ position, state: "to_do" }];
    case "lost":
      return outcome.reason === "unknown_outcome" ? [] : [{ position, state: "to_do" }];
    case "refused":
      return outcome.reason === "unknown_outcome"
        ? []
        : [{ position, state: "refused", reason: outcome.reason }];
  }
}

/** The position behind which to go on: the first request that was not reached comes next. */
function lastReached(sent: readonly Sent<OpenRequest>[], before: number): number {
  let reached = before;
  for (const [request, outcome] of sent) {
    if (outcome.kind === "not_reached") break;
    reached = request.position;
  }
  return reached;
}
