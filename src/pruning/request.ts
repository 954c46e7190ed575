import { setTimeout as sleep } from "node:timers/promises";
import { PRUNING_RPC, type PruneInput, PruneOutput } from "../contract/index.ts";
import {
  MalformedError,
  type OpenCodeClient,
  OpenCodeError,
  RpcRefusedError,
  ServerError,
  UnauthorisedError,
  UnreachableError,
} from "../opencode/index.ts";
import type { PlannedMessage, RefusalReason } from "../state/ports.ts";

export type Outcome =
  | { readonly kind: "pruned"; readonly removed: number }
  | { readonly kind: "refused"; readonly reason: RefusalReason }
  /** The server is not to be reached: asking for the next message would be in vain. */
  | { readonly kind: "lost"; readonly reason: RefusalReason };

export interface RequestOptions {
  /** Ends the waiting between attempts; an attempt under way is always awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds before each further attempt. */
  readonly retries: readonly number[];
  /** Milliseconds until an attempt counts as unanswered. */
  readonly timeout: number;
}

/**
 * Asks for one message, and sends the very same request again when no answer came: the plugin's receipt makes a
 * finished one answer again instead of deleting more. Never throws.
 */
export async function requestPrune(
  client: OpenCodeClient,
  planned: PlannedMessage,
  options: RequestOptions,
): Promise<Outcome> {
  const input: PruneInput = {
    sessionID: planned.sessionID,
    messageID: planned.messageID,
    revision: planned.revision,
    indexes: planned.goes.map((part) => part.index),
  };
  let mayHaveHappened = false;
  for (const delay of [0, ...options.retries]) {
    if (delay > 0) {
      await wait(delay, options.signal);
      if (options.signal?.aborted) break;
    }
    try {
      const call = { rpcID: PRUNING_RPC, method: "prune", input, location: { directory: planned.directory } };
      const { output } = await client.rpc.call(call, { timeout: options.timeout });
      return outcomeOf(input, output, mayHaveHappened);
    } catch (error) {
      const settled = refusalOf(error, mayHaveHappened);
      if (settled !== undefined) return settled;
      mayHaveHappened ||= !(error instanceof UnreachableError) || error.mayHaveArrived;
    }
  }
  return { kind: "lost", reason: mayHaveHappened ? "unknown_outcome" : "unavailable" };
}

function outcomeOf(input: PruneInput, output: unknown, mayHaveHappened: boolean): Outcome {
  const answer = PruneOutput.safeParse(output);
  if (!answer.success) return refused("unknown_outcome");
  if (answer.data.status === "blocked") {
    // Only a conflict proves that an attempt without an answer left no receipt.
    const { reason } = answer.data;
    return refused(mayHaveHappened && reason !== "conflict" ? "unknown_outcome" : reason);
  }
  const { messageID, removedCount } = answer.data;
  const asAsked = messageID === input.messageID && removedCount === input.indexes.length;
  return asAsked ? { kind: "pruned", removed: removedCount } : refused("unknown_outcome");
}

/** Undefined when the same request may be sent again. */
function refusalOf(error: unknown, mayHaveHappened: boolean): Outcome | undefined {
  if (error instanceof UnreachableError) return undefined;
  if (error instanceof RpcRefusedError && error.type === "rpc.internal") return undefined;
  if (error instanceof ServerError && error.status >= 500) return undefined;
  if (mayHaveHappened || !(error instanceof OpenCodeError) || error instanceof MalformedError) {
    return refused("unknown_outcome");
  }
  if (error instanceof UnauthorisedError) return { kind: "lost", reason: "unavailable" };
  const invalid = error instanceof RpcRefusedError && error.type === "rpc.invalid_input";
  return refused(invalid ? "not_deletable" : "unavailable");
}

function refused(reason: RefusalReason): Outcome {
  return { kind: "refused", reason };
}

/** Waits, at most until the signal aborts; an abort is no error here. */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}
