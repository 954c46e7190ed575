import type { OpenCodeClient } from "../opencode/index.ts";
import type { MessageReference, PruningPort } from "../state/ports.ts";
import { planSelection } from "./plan.ts";
import { prunePlan } from "./prune-plan.ts";
import { Deliveries, RETRIES, TIMEOUT } from "./sending/index.ts";

export interface PruningOptions {
  readonly client: OpenCodeClient;
  /** What is known of the locations already; without it each plan and each prune asks them afresh. */
  readonly deliveries?: Deliveries;
  /** Called for every message that was pruned, or may have been: it has to be read again. */
  readonly onPruned?: (message: MessageReference) => void;
  /** Milliseconds before each further attempt when no answer came; half a second, then one, then two by default. */
  readonly retries?: readonly number[];
  /** Milliseconds until an attempt counts as unanswered; 20,000 by default. */
  readonly timeout?: number;
}

/** The caller's side of a prune over the plugin's RPC. */
export function createPruning(options: PruningOptions): PruningPort {
  const { client, onPruned, retries = RETRIES, timeout = TIMEOUT } = options;
  const deliveries = () => options.deliveries ?? new Deliveries(client);
  return {
    plan: (selection, signal, onProgress) =>
      planSelection({ client, deliveries: deliveries(), selection, signal, onProgress }),
    prune: (plan, run) =>
      prunePlan(plan, { ...run, client, deliveries: deliveries(), retries, timeout, onPruned }),
  };
}
