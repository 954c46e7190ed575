import type { PRUNED_EVENT_NAME, PRUNING_RPC, PrunedEvent } from "../../contract/index.ts";
import type { ScreenEvent } from "./screen-host.ts";

/** What an event says about the messages that the UI holds. */
export type EventMeaning =
  | { readonly kind: "pruned"; readonly sessionID: string; readonly messageID: string }
  /** The event stream begins (again): whatever happened before it was missed. */
  | { readonly kind: "connected" };

const PRUNED: `rpc.${typeof PRUNING_RPC}.${typeof PRUNED_EVENT_NAME}` =
  "rpc.codenomad.session-pruning.pruned";

/** What an event means; undefined when it means nothing to the companion. A malformed one means nothing. */
export function meaningOf(event: ScreenEvent): EventMeaning | undefined {
  if (event.type === "server.connected") return { kind: "connected" };
  if (event.type !== PRUNED) return undefined;
  const { sessionID, messageID } = (event.data ?? {}) as { readonly [Member in keyof PrunedEvent]?: unknown };
  return isID(sessionID) && isID(messageID) ? { kind: "pruned", sessionID, messageID } : undefined;
}

function isID(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
