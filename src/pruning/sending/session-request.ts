import type { BulkRequest } from "../../contract/index.ts";
import type { MessageReference } from "../../state/ports.ts";

/** The exact request for one message, and what it is worth. */
export interface SizedRequest {
  readonly request: BulkRequest;
  readonly parts: number;
  readonly bytes: number;
}

/** A request and where it goes. */
export interface SessionRequest extends SizedRequest {
  readonly sessionID: string;
  /** The session's, at which its plugin is asked. */
  readonly directory: string;
  /** Whether it was sent before, so that nobody knows what came of it. */
  readonly wasSent: boolean;
}

/** Those of the first one's session, up to the first of another. */
export function ofFirstSession<Request extends Pick<MessageReference, "sessionID">>(
  requests: readonly Request[],
): readonly Request[] {
  const end = requests.findIndex(({ sessionID }) => sessionID !== requests[0]?.sessionID);
  return end === -1 ? requests : requests.slice(0, end);
}
