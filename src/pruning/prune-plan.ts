import type { Candidate } from "../contract/index.ts";
import type { OpenCodeClient } from "../opencode/index.ts";
import type {
  MessageReference,
  PlannedMessage,
  PruneOptions,
  PrunePlan,
  PruneReport,
} from "../state/ports.ts";
import {
  type Deliveries,
  nextCall,
  ofFirstSession,
  RunTally,
  refusalOfAll,
  type Sent,
  type SessionRequest,
  sendRequests,
  untilAnswered,
} from "./sending/index.ts";

export interface PruneRun extends PruneOptions {
  readonly client: OpenCodeClient;
  readonly deliveries: Deliveries;
  readonly retries: readonly number[];
  readonly timeout: number;
  /** Called for every message that was pruned, or may have been. */
  readonly onPruned?: ((message: MessageReference) => void) | undefined;
}

/** Messages that the first call carries; each further one may carry twice as many, so that progress shows soon. */
const FIRST_CALL = 8;

/**
 * One call after the other, in the order of the plan. Stops before the next one when the caller's signal aborts, or
 * when the server is lost: what was not asked for is counted as skipped. Never throws.
 */
export async function prunePlan(plan: PrunePlan, run: PruneRun): Promise<PruneReport> {
  const tally = new RunTally(plan.messages.length, run);
  let open: readonly PlannedRequest[] = plan.messages.map(requestFor);
  let most = FIRST_CALL;
  tally.tell();
  while (open.length > 0 && !tally.isLost && !run.signal?.aborted) {
    const ofSession = ofFirstSession(open);
    const sent = await send(run, ofSession.slice(0, most));
    tally.sent(sent);
    open = [...sent.flatMap(notReached), ...open.slice(sent.length)];
    const reason = refusalOfAll(sent);
    if (reason !== undefined) {
      const spared = ofSession.slice(sent.length);
      for (const request of spared) tally.refused(request, request.wasSent ? "unknown_outcome" : reason);
      open = open.slice(spared.length);
    }
    most *= 2;
    tally.tell();
  }
  for (const request of open) if (request.wasSent) tally.refused(request, "unknown_outcome");
  const report = tally.report();
  return { ...report, refused: [...plan.refused, ...report.refused] };
}

/** The request for a planned message: the parts at its indexes. */
interface PlannedRequest extends SessionRequest {
  /** The same request for `pruneBatch`, which knows no indexes; absent where some technical parts stay. */
  readonly whole?: Candidate;
}

function requestFor(planned: PlannedMessage): PlannedRequest {
  const { sessionID, messageID, directory, revision, goes, takesAll } = planned;
  const toolCount = goes.filter(({ type }) => type === "tool").length;
  const whole = { messageID, revision, toolCount, reasoningCount: goes.length - toolCount };
  return {
    sessionID,
    directory,
    request: { messageID, revision, indexes: goes.map(({ index }) => index) },
    ...(takesAll ? { whole } : {}),
    parts: goes.length,
    bytes: goes.reduce((sum, { bytes }) => sum + bytes, 0),
    wasSent: false,
  };
}

/** The first of one session's requests, in one call. None when the caller stopped before it. */
async function send(
  { client, deliveries, signal, retries, timeout }: PruneRun,
  requests: readonly PlannedRequest[],
): Promise<readonly Sent<PlannedRequest>[]> {
  const [first] = requests;
  if (!first) return [];
  const options = { signal, retries, timeout };
  const asked = await untilAnswered(
    (limits) => deliveries.of(first.directory, { ...limits, signal }),
    options,
  );
  if (signal?.aborted) return [];
  // Asking for the methods prunes nothing, whatever became of the question.
  if ("failure" in asked) return [[first, { ...asked.failure, reason: "unavailable" }]];
  const best = asked.answer;
  const { delivery, batch } = nextCall(best, best === "batch" ? requests.map(asWhole) : requests);
  return sendRequests(client, delivery, batch, options);
}

function asWhole(planned: PlannedRequest): PlannedRequest {
  return planned.whole ? { ...planned, request: planned.whole } : planned;
}

function notReached([request, outcome]: Sent<PlannedRequest>): readonly PlannedRequest[] {
  return outcome.kind === "not_reached" ? [{ ...request, wasSent: outcome.mayHaveHappened }] : [];
}
