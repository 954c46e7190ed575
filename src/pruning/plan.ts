import { MalformedError, NotFoundError, type OpenCodeClient } from "../opencode/index.ts";
import type { PartReference, PlanProgress, PrunePlan, RefusalReason } from "../state/ports.ts";
import { inOrder } from "./in-order.ts";
import { type MessagePlan, planMessage } from "./plan-message.ts";
import type { Deliveries } from "./sending/index.ts";
import { readPlace, type SessionPlace } from "./session-place.ts";

export interface Planning {
  readonly client: OpenCodeClient;
  readonly deliveries: Deliveries;
  readonly selection: readonly PartReference[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PlanProgress) => void) | undefined;
}

/**
 * Reads every message of the selection afresh and plans it. A message that cannot be read, or whose session cannot be
 * pruned now, is refused with its reason; a server that cannot be reached, or a stop, ends the whole plan with the
 * client's error.
 */
export async function planSelection({
  client,
  deliveries,
  selection,
  signal,
  onProgress,
}: Planning): Promise<PrunePlan> {
  const groups = byMessage(selection);
  let done = 0;
  const progress = () => onProgress?.({ done, total: groups.length });
  const places = new Map<string, Promise<SessionPlace>>();
  const placeOf = (sessionID: string) => {
    const place = places.get(sessionID) ?? readPlace(client, deliveries, sessionID, signal);
    places.set(sessionID, place);
    return place;
  };

  const planOf = async (references: readonly PartReference[]): Promise<MessagePlan> => {
    const [first] = references;
    if (first === undefined) return { refused: [] };
    const { sessionID, messageID } = first;
    try {
      const place = await placeOf(sessionID);
      if ("refused" in place) return refusing(references, place.refused);
      const message = await client.session.message({ sessionID, messageID }, { signal });
      return planMessage(message, references, place.directory);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return refusing(references, reason);
    }
  };

  progress();
  const plans = await inOrder(groups, async (references) => {
    const plan = await planOf(references);
    done += 1;
    progress();
    return plan;
  });

  const messages = plans.flatMap(({ planned }) => (planned === undefined ? [] : [planned]));
  const parts = messages.flatMap((message) => message.goes);
  return {
    messages,
    refused: plans.flatMap((plan) => plan.refused),
    parts: parts.length,
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
  };
}

function refusing(references: readonly PartReference[], reason: RefusalReason): MessagePlan {
  const [first] = references;
  if (first === undefined) return { refused: [] };
  const { sessionID, messageID } = first;
  return { refused: [{ sessionID, messageID, parts: references.length, reason }] };
}

function reasonOf(error: unknown): RefusalReason | undefined {
  if (error instanceof NotFoundError) return "vanished";
  if (error instanceof MalformedError) return "not_deletable";
  return undefined;
}

function byMessage(selection: readonly PartReference[]): readonly PartReference[][] {
  const groups = new Map<string, PartReference[]>();
  for (const reference of selection) {
    const key = JSON.stringify([reference.sessionID, reference.messageID]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [reference]);
    else group.push(reference);
  }
  return [...groups.values()];
}
