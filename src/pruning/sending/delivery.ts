import { PRUNE_BATCH_METHOD, PRUNE_BULK_METHOD, PRUNE_METHOD, PRUNING_RPC } from "../../contract/index.ts";
import { type CallOptions, type OpenCodeClient, RpcRefusedError, ServerError } from "../../opencode/index.ts";

/** How requests reach the plugin of a location: the best of its methods, or why none of them is to be had. */
export type Delivery = "bulk" | "batch" | "single" | NoDelivery;

/** `unavailable`: nobody serves the RPC there. `folder_unusable`: the daemon itself cannot work in that folder. */
export type NoDelivery = "unavailable" | "folder_unusable";

const METHODS = [
  ["bulk", PRUNE_BULK_METHOD],
  ["batch", PRUNE_BATCH_METHOD],
  ["single", PRUNE_METHOD],
] as const;

export function isNoDelivery(delivery: Delivery): delivery is NoDelivery {
  return delivery === "unavailable" || delivery === "folder_unusable";
}

/** Asks each location once which methods its plugin has. */
export class Deliveries {
  readonly #client: OpenCodeClient;
  readonly #known = new Map<string, Promise<Delivery>>();

  constructor(client: OpenCodeClient) {
    this.#client = client;
  }

  /** Throws the client's errors; whoever asks after that asks the location again. */
  of(directory: string, options: CallOptions = {}): Promise<Delivery> {
    let delivery = this.#known.get(directory);
    if (delivery === undefined) {
      delivery = probe(this.#client, directory, options);
      delivery.catch(() => this.#known.delete(directory));
      this.#known.set(directory, delivery);
    }
    return delivery;
  }
}

/** Calls with nothing: a method that is there refuses the input, and does nothing. */
async function probe(client: OpenCodeClient, directory: string, options: CallOptions): Promise<Delivery> {
  for (const [delivery, method] of METHODS) {
    try {
      await client.rpc.call({ rpcID: PRUNING_RPC, method, input: {}, location: { directory } }, options);
      return delivery;
    } catch (error) {
      // All that the daemon says of a folder that is gone, and of any other in which it cannot start.
      if (error instanceof ServerError && error.status === 500) return "folder_unusable";
      if (!(error instanceof RpcRefusedError)) throw error;
      if (error.type === "rpc.unavailable") return "unavailable";
      if (error.type !== "rpc.method_not_found") return delivery;
    }
  }
  return "unavailable";
}
