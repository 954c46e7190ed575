import { PRUNE_METHOD, PRUNING_RPC, type PruneInput } from "../contract/index.ts";
import type { OpenCodeClient } from "../opencode/index.ts";
import type { PlannedMessage } from "../state/ports.ts";
import { type Outcome, outcomeOf, type RequestOptions, untilAnswered } from "./attempts.ts";

/** Asks for one message. Never throws. */
export async function requestPrune(
  client: OpenCodeClient,
  planned: PlannedMessage,
  options: RequestOptions,
): Promise<Outcome> {
  const { sessionID, messageID, revision, directory } = planned;
  const input: PruneInput = {
    sessionID,
    messageID,
    revision,
    indexes: planned.goes.map((part) => part.index),
  };
  const call = { rpcID: PRUNING_RPC, method: PRUNE_METHOD, input, location: { directory } };
  const answered = await untilAnswered((limits) => client.rpc.call(call, limits), options);
  if ("outcome" in answered) return answered.outcome;
  const parts = input.indexes.length;
  return outcomeOf({ messageID, parts }, answered.answer.output, answered.mayHaveHappened);
}
