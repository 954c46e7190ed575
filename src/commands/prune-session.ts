import {
  type Deliveries,
  isNoDelivery,
  type Matches,
  matchingParts,
  type PartFilter,
  referenceTo,
} from "../pruning/index.ts";
import type { PlanProgress, PrunePlan, PruningPort, RefusalReason } from "../state/ports.ts";
import type { HistorySource, SessionListing } from "../sync/index.ts";
import { CommandFailure } from "./failure.ts";

/** What a prune would do to one session. */
export interface SessionPlan {
  readonly session: SessionListing;
  /** Holds no message when nothing matches, or the session is refused as a whole. */
  readonly plan: PrunePlan;
  /** Why nothing of the session can be pruned now, and how many parts that concerns. */
  readonly refused?: { readonly parts: number; readonly reason: RefusalReason };
  /** Matching parts of messages that were not asked for by name and cannot be pruned. */
  readonly leftAlone: Matches["unprunable"];
}

export interface SessionPlanner {
  readonly source: HistorySource;
  readonly pruning: PruningPort;
  readonly filter: PartFilter;
  /** A dry run shows what would go also where the plugin is still to be installed. */
  readonly needsPlugin: boolean;
  /** What the directories that were asked already answered. */
  readonly deliveries: Deliveries;
  readonly signal: AbortSignal;
}

const NOTHING: PrunePlan = { messages: [], refused: [], parts: 0, bytes: 0 };

/** Reads a session, finds what the filter means, and plans it from a fresh read of each message. */
export async function planSession(
  planner: SessionPlanner,
  session: SessionListing,
  onProgress?: (progress: PlanProgress) => void,
): Promise<SessionPlan> {
  const { source, pruning, filter, signal } = planner;
  const { sessionID } = session;
  const outline = await source.outline(sessionID, signal);
  const { prunable, unprunable } = matchingParts(outline?.messages ?? [], filter);
  const isNamed = filter.messageIDs !== undefined;
  // What was named is asked for, so that its refusal is reported; what was only swept over is not.
  const wanted = isNamed ? [...prunable, ...unprunable] : prunable;
  const leftAlone = isNamed ? [] : unprunable;
  const references = wanted.flatMap(({ message: { messageID }, parts }) =>
    parts.map((part) => referenceTo({ sessionID, messageID }, part)),
  );
  if (references.length === 0) return { session, plan: NOTHING, leftAlone };
  const reason = await refusalOf(planner, session);
  if (reason !== undefined) {
    return { session, plan: NOTHING, refused: { parts: references.length, reason }, leftAlone };
  }
  return { session, plan: await pruning.plan(references, signal, onProgress), leftAlone };
}

/** What would be refused message by message is refused once. */
async function refusalOf(
  { needsPlugin, deliveries, signal }: SessionPlanner,
  { activity, directory }: SessionListing,
): Promise<RefusalReason | undefined> {
  if (activity !== "idle") return "maintenance_required";
  const delivery = await deliveries.of(directory, { signal });
  if (!isNoDelivery(delivery)) return undefined;
  return delivery === "unavailable" && !needsPlugin ? undefined : delivery;
}

/** Refuses ids that the session does not have, before anything is done to the others. */
export async function checkNamedMessages(
  source: HistorySource,
  sessionID: string,
  messageIDs: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const messageID of messageIDs ?? []) {
    if (await source.message({ sessionID, messageID }, signal)) continue;
    throw new CommandFailure(
      `There is no message ${messageID} in session ${sessionID}; list them with \`opencode-prune parts ${sessionID}\`.`,
    );
  }
}
