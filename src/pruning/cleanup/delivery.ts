import {
  type BulkRequest,
  MAX_BATCH,
  PRUNE_BATCH_METHOD,
  PRUNE_BULK_METHOD,
  PRUNE_METHOD,
  PRUNING_RPC,
} from "../../contract/index.ts";
import { type OpenCodeClient, RpcRefusedError } from "../../opencode/index.ts";

/** How requests reach the plugin of a location: the best of its methods, or none. */
export type Delivery = "bulk" | "batch" | "single" | "unavailable";

const METHODS = [
  ["bulk", PRUNE_BULK_METHOD],
  ["batch", PRUNE_BATCH_METHOD],
  ["single", PRUNE_METHOD],
] as const;

/** Bounds of one request, so that a stop is heard soon and an answer is never far. */
export interface RequestBounds {
  readonly messages: number;
  /** Bytes of technical parts; one message alone may have more. */
  readonly bytes: number;
}

const MEBIBYTE = 1024 * 1024;

export const BOUNDS: Readonly<Record<Delivery, RequestBounds>> = {
  bulk: { messages: 64, bytes: 16 * MEBIBYTE },
  batch: { messages: MAX_BATCH, bytes: 16 * MEBIBYTE },
  single: { messages: 1, bytes: MEBIBYTE },
  unavailable: { messages: 64, bytes: 16 * MEBIBYTE },
};

/** `pruneBatch` knows no indexes; the plugin that has it has `prune` too. */
export function deliveryFor(delivery: Delivery, request: BulkRequest): Delivery {
  return delivery === "batch" && "indexes" in request ? "single" : delivery;
}

/** Asks each location once which methods its plugin has. */
export class Deliveries {
  readonly #client: OpenCodeClient;
  readonly #known = new Map<string, Promise<Delivery>>();

  constructor(client: OpenCodeClient) {
    this.#client = client;
  }

  of(directory: string): Promise<Delivery> {
    let delivery = this.#known.get(directory);
    if (delivery === undefined) {
      delivery = probe(this.#client, directory);
      delivery.catch(() => this.#known.delete(directory));
      this.#known.set(directory, delivery);
    }
    return delivery;
  }
}

/** Calls with nothing: a method that is there refuses the input, and does nothing. */
async function probe(client: OpenCodeClient, directory: string): Promise<Delivery> {
  for (const [delivery, method] of METHODS) {
    try {
      await client.rpc.call({ rpcID: PRUNING_RPC, method, input: {}, location: { directory } });
      return delivery;
    } catch (error) {
      if (!(error instanceof RpcRefusedError)) throw error;
      if (error.type === "rpc.unavailable") return "unavailable";
      if (error.type !== "rpc.method_not_found") return delivery;
    }
  }
  return "unavailable";
}
