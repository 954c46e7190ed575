import { setTimeout as sleep } from "node:timers/promises";
import { type PruneInput, PruneOutput } from "../../contract/index.ts";
import {
  MalformedError,
  OpenCodeError,
  RpcRefusedError,
  ServerError,
  UnauthorisedError,
  UnreachableError,
} from "../../opencode/index.ts";
import type { RefusalReason } from "../../state/ports.ts";

/** Milliseconds before each further attempt when no answer came. */
export const RETRIES: readonly number[] = [500, 1_000, 2_000];
/** A prune answers in milliseconds, and a busy database is refused at once: this is a daemon that hangs. */
export const TIMEOUT = 20_000;

export type Outcome = { readonly kind: "pruned"; readonly removed: number } | Failure;

export type Failure =
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

export type Answered<Answer> =
  | {
      readonly answer: Answer;
      /** An attempt before this one got no answer, and may have done what it asked for. */
      readonly mayHaveHappened: boolean;
    }
  | { readonly failure: Failure };

/**
 * Sends the very same request again when no answer came: the plugin's receipt makes a finished one answer again
 * instead of deleting more. Never throws.
 */
export async function untilAnswered<Answer>(
  ask: (options: { readonly timeout: number }) => Promise<Answer>,
  { signal, retries, timeout }: RequestOptions,
): Promise<Answered<Answer>> {
  let mayHaveHappened = false;
  for (const delay of [0, ...retries]) {
    if (delay > 0) {
      await wait(delay, signal);
      if (signal?.aborted) break;
    }
    try {
      return { answer: await ask({ timeout }), mayHaveHappened };
    } catch (error) {
      const failure = failureOf(error, mayHaveHappened);
      if (failure !== undefined) return { failure };
      mayHaveHappened ||= !(error instanceof UnreachableError) || error.mayHaveArrived;
    }
  }
  return { failure: { kind: "lost", reason: mayHaveHappened ? "unknown_outcome" : "unavailable" } };
}

/** What the plugin's answer for one message means. */
export function outcomeOf(
  { messageID, parts }: { readonly messageID: PruneInput["messageID"]; readonly parts: number },
  output: unknown,
  mayHaveHappened: boolean,
): Outcome {
  const answer = PruneOutput.safeParse(output);
  if (!answer.success) return refused("unknown_outcome");
  if (answer.data.status === "blocked") {
    // Only a conflict proves that an attempt without an answer left no receipt.
    const { reason } = answer.data;
    return refused(mayHaveHappened && reason !== "conflict" ? "unknown_outcome" : reason);
  }
  const asAsked = answer.data.messageID === messageID && answer.data.removedCount === parts;
  return asAsked ? { kind: "pruned", removed: parts } : refused("unknown_outcome");
}

/** Undefined when the same request may be sent again. */
function failureOf(error: unknown, mayHaveHappened: boolean): Failure | undefined {
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

function refused(reason: RefusalReason): Failure {
  return { kind: "refused", reason };
}

/** Waits, at most until the signal aborts; an abort is no error here. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}
