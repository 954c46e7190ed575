import type { RefusalReason } from "../../state/ports.ts";
import type { OpenRequest } from "../jobs/index.ts";
import type { SessionReading } from "./session-reading.ts";

/** What a fresh read of its session says of a request that has no outcome yet. */
export type Confirmation =
  /** The message is as it was when it was planned, so nothing was done to it: the request may be sent. */
  | { readonly kind: "to_do" }
  /** It was sent once, and only its receipt can tell what came of it: the very same request is sent again. */
  | { readonly kind: "unknown" }
  /** It was never sent and cannot be any more. */
  | { readonly kind: "refused"; readonly reason: RefusalReason };

export function confirmRequests(
  requests: readonly OpenRequest[],
  reading: SessionReading,
): readonly Confirmation[] {
  if ("refused" in reading) {
    const { refused: reason } = reading;
    return requests.map(({ wasSent }) =>
      wasSent && reason !== "vanished" ? { kind: "unknown" } : { kind: "refused", reason },
    );
  }
  const revisions = new Map(reading.requests.map(({ request }) => [request.messageID, request.revision]));
  return requests.map(({ request, wasSent }) => {
    const revision = revisions.get(request.messageID);
    if (revision === request.revision) return { kind: "to_do" };
    if (wasSent) return { kind: "unknown" };
    return { kind: "refused", reason: revision === undefined ? "vanished" : "conflict" };
  });
}
