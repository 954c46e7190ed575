import type { OpenCodeClient } from "../opencode/index.ts";
import type {
  MessageReference,
  PruneOptions,
  PrunePlan,
  PruneReport,
  PruningPort,
  Refusal,
} from "../state/ports.ts";
import { RETRIES, type RequestOptions, TIMEOUT } from "./attempts.ts";
import { planSelection } from "./plan.ts";
import { requestPrune } from "./request.ts";

export interface PruningOptions {
  readonly client: OpenCodeClient;
  /** Called for every message that was pruned, or may have been: it has to be read again. */
  readonly onPruned?: (message: MessageReference) => void;
  /** Milliseconds before each further attempt when no answer came; half a second, then one, then two by default. */
  readonly retries?: readonly number[];
  /** Milliseconds until an attempt counts as unanswered; 20,000 by default. */
  readonly timeout?: number;
}

/** The caller's side of a prune over the plugin's RPC. */
export function createPruning(options: PruningOptions): PruningPort {
  const { client } = options;
  return {
    plan: (selection, signal, onProgress) => planSelection(client, selection, signal, onProgress),
    prune: (plan, run) => prunePlan(options, plan, run),
  };
}

/**
 * One message after the other. Stops before the next one when the caller's signal aborts, or when the server is
 * lost: what was not asked for is counted as skipped.
 */
async function prunePlan(
  { client, onPruned, retries = RETRIES, timeout = TIMEOUT }: PruningOptions,
  plan: PrunePlan,
  { signal, onProgress }: PruneOptions,
): Promise<PruneReport> {
  const started = performance.now();
  const request: RequestOptions = { signal, retries, timeout };
  const refused: Refusal[] = [...plan.refused];
  let prunedParts = 0;
  let prunedMessages = 0;
  let prunedBytes = 0;
  let done = 0;
  let lost = false;

  const progress = () =>
    onProgress?.({
      messagesDone: done,
      messagesTotal: plan.messages.length,
      partsPruned: prunedParts,
      bytesPruned: prunedBytes,
      elapsed: performance.now() - started,
    });

  progress();
  for (const planned of plan.messages) {
    if (signal?.aborted || lost) break;
    const { sessionID, messageID } = planned;
    const outcome = await requestPrune(client, planned, request);
    done += 1;
    if (outcome.kind === "pruned") {
      prunedMessages += 1;
      prunedParts += outcome.removed;
      prunedBytes += planned.goes.reduce((sum, part) => sum + part.bytes, 0);
    } else {
      refused.push({ sessionID, messageID, parts: planned.goes.length, reason: outcome.reason });
      lost = outcome.kind === "lost";
    }
    if (outcome.kind === "pruned" || outcome.reason === "unknown_outcome")
      onPruned?.({ sessionID, messageID });
    progress();
  }
  const skippedMessages = plan.messages.length - done;
  return {
    prunedParts,
    prunedMessages,
    prunedBytes,
    skippedMessages,
    refused,
    stopped: skippedMessages > 0,
  };
}
