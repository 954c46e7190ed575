import type { RequestBounds } from "./delivery.ts";

/** The first of the requests that one call may carry: at least one. */
export function firstBatch<Request extends { readonly bytes: number }>(
  requests: readonly Request[],
  bounds: RequestBounds,
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

/** How many calls the requests of one session take. */
export function countBatches(requests: readonly { readonly bytes: number }[], bounds: RequestBounds): number {
  let count = 0;
  for (let from = 0; from < requests.length; count += 1) {
    from += firstBatch(requests.slice(from, from + bounds.messages), bounds).length;
  }
  return count;
}
