import {
  PRUNE_BATCH_METHOD,
  PRUNE_BULK_METHOD,
  PRUNE_METHOD,
  PRUNING_RPC,
  PruneBatchOutput,
  PruneBulkOutput,
} from "../../contract/index.ts";
import type { OpenCodeClient } from "../../opencode/index.ts";
import { type Outcome, outcomeOf, type RequestOptions, untilAnswered, wait } from "../attempts.ts";
import type { OpenRequest } from "../jobs/index.ts";
import type { Delivery } from "./delivery.ts";

export type SendOutcome =
  | Outcome
  /** The time or the bytes of one call ended before it; an attempt without an answer may have done it. */
  | { readonly kind: "not_reached"; readonly mayHaveHappened: boolean };

export type Sent = readonly [request: OpenRequest, outcome: SendOutcome];

/**
 * Sends requests of one session in one call, and once more, after a pause, those that found the session busy for a
 * moment. Never throws, and answers for every request.
 */
export async function sendRequests(
  client: OpenCodeClient,
  delivery: Delivery,
  requests: readonly OpenRequest[],
  options: RequestOptions,
): Promise<readonly Sent[]> {
  const settled = new Map<number, Sent>();
  let busy = requests;
  for (const delay of [0, ...options.retries]) {
    if (delay > 0) await wait(delay, options.signal);
    if (delay > 0 && options.signal?.aborted) break;
    const sent = await sendOnce(client, delivery, busy, options);
    for (const one of sent) settled.set(one[0].position, one);
    busy = sent.flatMap(([request, outcome]) => (isBusy(outcome) ? [request] : []));
    if (busy.length === 0) break;
  }
  return requests.flatMap(({ position }) => {
    const one = settled.get(position);
    return one ? [one] : [];
  });
}

function isBusy(outcome: SendOutcome): boolean {
  return outcome.kind === "refused" && outcome.reason === "maintenance_required";
}

async function sendOnce(
  client: OpenCodeClient,
  delivery: Delivery,
  requests: readonly OpenRequest[],
  options: RequestOptions,
): Promise<readonly Sent[]> {
  const alike = (outcome: Outcome) => requests.map((request): Sent => [request, honest(request, outcome)]);
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
  if ("outcome" in answered) return alike(answered.outcome);
  const results = call.resultsOf(answered.answer.output);
  const { mayHaveHappened } = answered;
  return requests.map((request, at): Sent => {
    const result = results[at];
    const mayBeDone = mayHaveHappened || request.wasSent;
    if (result === NOT_REACHED) return [request, { kind: "not_reached", mayHaveHappened: mayBeDone }];
    const asked = { messageID: request.request.messageID, parts: request.parts };
    return [request, outcomeOf(asked, result, mayBeDone)];
  });
}

/** A request that was sent before may have been done then, whatever is said now. */
function honest(request: OpenRequest, outcome: Outcome): Outcome {
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
function callOf(delivery: Delivery, sessionID: string, requests: readonly OpenRequest[]): Call | undefined {
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
    case "unavailable":
      return undefined;
  }
}

/** A result under another message's id tells nothing. */
function resultsFor(
  requests: readonly OpenRequest[],
  results: PruneBatchOutput["results"],
): readonly unknown[] {
  return results.map(({ messageID, result }, at) =>
    messageID === requests[at]?.request.messageID ? result : undefined,
  );
}
