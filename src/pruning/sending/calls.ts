import { MAX_BATCH } from "../../contract/index.ts";
import type { Delivery } from "./delivery.ts";
import type { SessionRequest } from "./session-request.ts";

/** Bounds of one call, so that a stop is heard soon and an answer is never far. */
interface CallBounds {
  readonly messages: number;
  /** Bytes of technical parts; one message alone may have more. */
  readonly bytes: number;
}

const MEBIBYTE = 1024 * 1024;
const LARGEST: CallBounds = { messages: 64, bytes: 16 * MEBIBYTE };

const BOUNDS: Readonly<Record<Delivery, CallBounds>> = {
  bulk: LARGEST,
  batch: { messages: MAX_BATCH, bytes: 16 * MEBIBYTE },
  single: { messages: 1, bytes: MEBIBYTE },
  unavailable: LARGEST,
  folder_unusable: LARGEST,
};

export interface NextCall<Request> {
  readonly delivery: Delivery;
  readonly batch: readonly Request[];
}

/** What the next call carries of one session's requests, at least one, and how it reaches the plugin. */
export function nextCall<Request extends Pick<SessionRequest, "request" | "bytes">>(
  best: Delivery,
  requests: readonly Request[],
): NextCall<Request> {
  const [first] = requests;
  if (!first) return { delivery: best, batch: [] };
  const delivery = deliveryFor(best, first);
  const other = requests.findIndex((request) => deliveryFor(best, request) !== delivery);
  const alike = other === -1 ? requests : requests.slice(0, other);
  return { delivery, batch: firstWithin(alike, BOUNDS[delivery]) };
}

/** How many calls the requests of one session take. */
export function countCalls(
  requests: readonly Pick<SessionRequest, "request" | "bytes">[],
  delivery: Delivery,
): number {
  let count = 0;
  for (let from = 0; from < requests.length; count += 1) {
    from += nextCall(delivery, requests.slice(from, from + LARGEST.messages)).batch.length;
  }
  return count;
}

/** `pruneBatch` knows no indexes; the plugin that has it has `prune` too. */
function deliveryFor(best: Delivery, { request }: Pick<SessionRequest, "request">): Delivery {
  return best === "batch" && "indexes" in request ? "single" : best;
}

/** The first of the requests that one call may carry: at least one. */
function firstWithin<Request extends { readonly bytes: number }>(
  requests: readonly Request[],
  bounds: CallBounds,
): readonly Request[] {
  let bytes = 0;
  let length = 0;
  for (const request of requests) {
    bytes += request.bytes;
    if (length === bounds.messages || (length > 0 && bytes > bounds.bytes)) break;
    length += 1;
  }
  return requests.slice(0, length);
}
