import {
  PRUNE_BATCH_METHOD,
  PRUNE_BULK_METHOD,
  PRUNE_METHOD,
  PRUNING_RPC,
  PruneBatchOutput,
  PruneBulkOutput,
} from "../../contract/index.ts";
import type { OpenCodeClient } from "../../opencode/index.ts";
import type { RefusalReason } from "../../state/ports.ts";
import { type Outcome, outcomeOf, type RequestOptions, untilAnswered, wait } from "./attempts.ts";
import { type Delivery, isNoDelivery, type NoDelivery } from "./delivery.ts";
import type { SessionRequest } from "./session-request.ts";

export type SendOutcome =
  | Outcome
  /** The time or the bytes of one call ended before it; an attempt without an answer may have done it. */
  | { readonly kind: "not_reached"; readonly mayHaveHappened: boolean };

export type Sent<Request extends SessionRequest = SessionRequest> = readonly [
  request: Request,
  outcome: SendOutcome,
];

/**
 * Sends requests of one session in one call, and once more, after a pause, those that found the session busy for a
 * moment. Never throws, and answers for every request.
 */
export async function sendRequests<Request extends SessionRequest>(
  client: OpenCodeClient,
  delivery: Delivery,
  requests: readonly Request[],
  options: RequestOptions,
): Promise<readonly Sent<Request>[]> {
  const settled = new Map<Request, SendOutcome>();
  let busy = requests;
  for (const delay of [0, ...options.retries]) {
    if (delay > 0) await wait(delay, options.signal);
    if (delay > 0 && options.signal?.aborted) break;
    const sent = await sendOnce(client, delivery, busy, options);
    for (const [request, outcome] of sent) settled.set(request, outcome);
    busy = sent.flatMap(([request, outcome]) => (isBusy(outcome) ? [request] : []));
    if (busy.length === 0) break;
  }
  return requests.flatMap((request): Sent<Request>[] => {
    const outcome = settled.get(request);
    return outcome ? [[request, outcome]] : [];
  });
}

/** Whether its message has to be read again. */
export function mayBePruned(outcome: SendOutcome): boolean {
  if (outcome.kind === "not_reached") return outcome.mayHaveHappened;
  return outcome.kind === "pruned" || outcome.reason === "unknown_outcome";
}

/** The one reason why nothing of a session can be pruned now, which spares asking for the rest of it. */
export function refusalOfAll(sent: readonly Sent[]): RefusalReason | undefined {
  const reasons = new Set(
    sent.map(([, outcome]) => (outcome.kind === "refused" ? outcome.reason : undefined)),
  );
  const [reason, ...others] = reasons;
  return reason !== undefined && OF_SESSION.has(reason) && others.length === 0 ? reason : undefined;
}

const OF_SESSION: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  "maintenance_required",
  "unavailable",
]);

function isBusy(outcome: SendOutcome): boolean {
  return outcome.kind === "refused" && outcome.reason === "maintenance_required";
}

async function sendOnce<Request extends SessionRequest>(
  client: OpenCodeClient,
  delivery: Delivery,
  requests: readonly Request[],
  options: RequestOptions,
): Promise<readonly Sent<Request>[]> {
  const alike = (outcome: Outcome) =>
    requests.map((request): Sent<Request> => [request, honest(request, outcome)]);
  if (isNoDelivery(delivery)) return alike({ kind: "refused", reason: delivery });
  const [first] = requests;
  const call = first && callOf(delivery, first.sessionID, requests);
  if (!call) return alike({ kind: "refused", reason: "unavailable" });
  const { directory } = first;
  const answered = await untilAnswered(
    (limits) =>
      client.rpc.call(
        { rpcID: PRUNING_RPC, method: call.method, input: call.input, location: { directory } },
        limits,
      ),
    options,
  );
  if ("failure" in answered) return alike(answered.failure);
  const results = call.resultsOf(answered.answer.output);
  const { mayHaveHappened } = answered;
  return requests.map((request, at): Sent<Request> => {
    const result = results[at];
    const mayBeDone = mayHaveHappened || request.wasSent;
    if (result === NOT_REACHED) return [request, { kind: "not_reached", mayHaveHappened: mayBeDone }];
    const asked = { messageID: request.request.messageID, parts: request.parts };
    return [request, outcomeOf(asked, result, mayBeDone)];
  });
}

/** A request that was sent before may have been done then, whatever is said now. */
function honest(request: SessionRequest, outcome: Outcome): Outcome {
  return request.wasSent && outcome.kind !== "pruned" ? { ...outcome, reason: "unknown_outcome" } : outcome;
}

const NOT_REACHED = Symbol("not reached");

interface Call {
  readonly method: string;
  readonly input: unknown;
  /** The plugin's answer to each request, in their order; undefined where it did not answer as it should. */
  resultsOf(output: unknown): readonly unknown[];
}

/** Undefined when the plugin has no method that takes such requests. */
function callOf(
  delivery: Exclude<Delivery, NoDelivery>,
  sessionID: string,
  requests: readonly SessionRequest[],
): Call | undefined {
  const exact = requests.map(({ request }) => request);
  switch (delivery) {
    case "bulk":
      return {
        method: PRUNE_BULK_METHOD,
        input: { sessionID, requests: exact },
        resultsOf(output) {
          const { data } = PruneBulkOutput.safeParse(output);
          const answered = data?.results.length ?? 0;
          if (!data || answered === 0 || answered + data.left !== requests.length) return [];
          return [...resultsFor(requests, data.results), ...Array(data.left).fill(NOT_REACHED)];
        },
      };
    case "batch":
      return {
        method: PRUNE_BATCH_METHOD,
        input: { sessionID, candidates: exact },
        resultsOf: (output) => resultsFor(requests, PruneBatchOutput.safeParse(output).data?.results ?? []),
      };
    case "single": {
      const [request, ...others] = exact;
      if (!request || !("indexes" in request) || others.length > 0) return undefined;
      return {
        method: PRUNE_METHOD,
        input: { sessionID, ...request },
        resultsOf: (output) => [output],
      };
    }
  }
}

/** A result under another message's id tells nothing. */
function resultsFor(
  requests: readonly SessionRequest[],
  results: PruneBatchOutput["results"],
): readonly unknown[] {
  return results.map(({ messageID, result }, at) =>
    messageID === requests[at]?.request.messageID ? result : undefined,
  );
}
