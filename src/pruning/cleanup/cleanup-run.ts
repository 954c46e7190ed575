import type { OpenCodeClient } from "../../opencode/index.ts";
import type { MessageReference, RefusalReason } from "../../state/ports.ts";
import type { JobStore, OpenRequest, Settlement } from "../jobs/index.ts";
import { firstBatch } from "./batches.ts";
import type { CleanupTally } from "./cleanup-tally.ts";
import { confirmRequests } from "./confirm-requests.ts";
import { BOUNDS, type Deliveries, deliveryFor } from "./delivery.ts";
import type { HeldClaim } from "./held-claim.ts";
import { readSession } from "./read-session.ts";
import { type SendOutcome, type Sent, sendRequests } from "./send-requests.ts";
import type { SessionReading } from "./session-reading.ts";

export interface CleanupRun {
  readonly client: OpenCodeClient;
  readonly jobs: JobStore;
  readonly deliveries: Deliveries;
  readonly claim: HeldClaim;
  readonly tally: CleanupTally;
  /** Whether each session is read afresh before anything of it is sent. */
  readonly rereads: boolean;
  readonly retries: readonly number[];
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  /** Called for every message that was pruned, or may have been. */
  readonly onPruned: (message: MessageReference) => void;
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
    if (sent.some(([, outcome]) => outcome.kind === "lost")) return;
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

function ofFirstSession(requests: readonly OpenRequest[]): readonly OpenRequest[] {
  const end = requests.findIndex(({ sessionID }) => sessionID !== requests[0]?.sessionID);
  return end === -1 ? requests : requests.slice(0, end);
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
async function send(run: CleanupRun, requests: readonly OpenRequest[]): Promise<readonly Sent[]> {
  const { client, jobs, claim, tally, deliveries, signal, retries, timeout } = run;
  const [first] = requests;
  if (!first) return [];
  const delivery = deliveryFor(await deliveries.of(first.directory), first.request);
  const batch = firstBatch(requests, BOUNDS[delivery]);
  const toSend = batch.filter(({ wasSent }) => !wasSent).map(({ position }) => position);
  claim.write((held) => jobs.sending(held, toSend));
  const sent = await sendRequests(client, delivery, batch, { signal, retries, timeout });
  for (const [request, outcome] of sent) {
    if (outcome.kind === "pruned") tally.pruned(request);
    else if (outcome.kind !== "not_reached") tally.refused(request, outcome.reason);
    if (mayBePruned(outcome)) {
      run.onPruned({ sessionID: request.sessionID, messageID: request.request.messageID });
    }
  }
  claim.write((held) => jobs.settle(held, sent.flatMap(settlementOf)));
  tally.tell();
  return sent;
}

function mayBePruned(outcome: SendOutcome): boolean {
  if (outcome.kind === "not_reached") return outcome.mayHaveHappened;
  return outcome.kind === "pruned" || outcome.reason === "unknown_outcome";
}

/** What is known of a request after its call. A request of which nothing is known stays sent. */
function settlementOf([{ position }, outcome]: Sent): readonly Settlement[] {
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

/** The one reason why nothing of a session can be pruned now, which spares asking for the rest of it. */
function refusalOfAll(sent: readonly Sent[]): RefusalReason | undefined {
  const reasons = new Set(
    sent.map(([, outcome]) => (outcome.kind === "refused" ? outcome.reason : undefined)),
  );
  const [reason, ...others] = reasons;
  const isOfSession = reason === "maintenance_required" || reason === "unavailable";
  return isOfSession && others.length === 0 ? reason : undefined;
}

/** The position behind which to go on: the first request that was not reached comes next. */
function lastReached(sent: readonly Sent[], before: number): number {
  let reached = before;
  for (const [request, outcome] of sent) {
    if (outcome.kind === "not_reached") break;
    reached = request.position;
  }
  return reached;
}
