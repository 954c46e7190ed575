import { MalformedError, NotFoundError, type OpenCodeClient, type Session } from "../opencode/index.ts";
import type { PartReference, PlanProgress, PrunePlan, RefusalReason } from "../state/ports.ts";
import { inOrder } from "./in-order.ts";
import { type MessagePlan, planMessage } from "./plan-message.ts";

/**
 * Reads every message of the selection afresh and plans it. A message that cannot be read is refused with its
 * reason; a server that cannot be reached, or a stop, ends the whole plan with the client's error.
 */
export async function planSelection(
  client: OpenCodeClient,
  selection: readonly PartReference[],
  signal?: AbortSignal,
  onProgress?: (progress: PlanProgress) => void,
): Promise<PrunePlan> {
  const groups = byMessage(selection);
  let done = 0;
  const progress = () => onProgress?.({ done, total: groups.length });
  const sessions = new Map<string, Promise<Session>>();
  const sessionOf = (sessionID: string) => {
    let session = sessions.get(sessionID);
    if (session === undefined) {
      session = client.session.get({ sessionID }, { signal });
      sessions.set(sessionID, session);
    }
    return session;
  };

  const planOf = async (references: readonly PartReference[]): Promise<MessagePlan> => {
    const [first] = references;
    if (first === undefined) return { refused: [] };
    const { sessionID, messageID } = first;
    try {
      const session = await sessionOf(sessionID);
      const message = await client.session.message({ sessionID, messageID }, { signal });
      return planMessage(message, references, session.location.directory);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return { refused: [{ sessionID, messageID, parts: references.length, reason }] };
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
