import { PRUNED_EVENT, PrunedEvent } from "../contract/index.ts";
import type { HistoryEvent } from "./source.ts";

/** What an event says about our knowledge. */
export type EventEffect =
  | {
      readonly kind: "pruned";
      readonly sessionID: string;
      readonly messageID: string;
      readonly revision: string;
    }
  | {
      readonly kind: "changed";
      readonly sessionID: string;
      /** Set when the change concerns this assistant message alone. */
      readonly messageID?: string;
      /** True when messages other than that may have come, gone or changed. */
      readonly outline: boolean;
    };

/**
 * Whether an event of this type is worth parsing. Every native session event may change the listing at least,
 * except the deltas of a running generation: what they carry is stored by the event that ends them.
 */
export function isWanted(type: string): boolean {
  if (type === PRUNED_EVENT || type === "server.connected") return true;
  return type.startsWith("session.") && !type.endsWith(".delta");
}

/** Native events after which the messages are the same as before, or about to be reported by a later event. */
const LISTING_ONLY: ReadonlySet<string> = new Set([
  "session.deleted",
  "session.renamed",
  "session.viewed",
  "session.execution.started",
  "session.inbox.enqueued",
  "session.inbox.delivered",
  "session.instructions.updated",
  "session.usage.updated",
]);

/** What an event says; undefined when it says nothing to us. A malformed one says nothing. */
export function effectOf(event: HistoryEvent): EventEffect | undefined {
  if (event.type === PRUNED_EVENT) {
    const pruned = PrunedEvent.safeParse(event.data);
    return pruned.success ? { kind: "pruned", ...pruned.data } : undefined;
  }
  if (!isWanted(event.type) || !event.type.startsWith("session.")) return undefined;
  const data = (event.data ?? {}) as { readonly sessionID?: unknown; readonly assistantMessageID?: unknown };
  const sessionID = typeof data.sessionID === "string" ? data.sessionID : event.durable?.aggregateID;
  if (!sessionID) return undefined;
  if (typeof data.assistantMessageID === "string" && data.assistantMessageID !== "") {
    return { kind: "changed", sessionID, messageID: data.assistantMessageID, outline: false };
  }
  return { kind: "changed", sessionID, outline: !LISTING_ONLY.has(event.type) };
}
