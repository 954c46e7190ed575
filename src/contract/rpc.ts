import * as z from "zod";
import { MAX_BATCH } from "./limits.ts";
import { count, countOf, index, indexes, messageID, revision, sessionID } from "./members.ts";
import { TECHNICAL_TYPES } from "./technical.ts";

/** The RPC that deletes. Its id, methods, shapes and event are those of the published plugin. */
export const PRUNING_RPC = "codenomad.session-pruning";
/** The RPC that only reads; ours. */
export const READING_RPC = "opencode-prune";
/** The id of our plugin, as `ctx.plugin.list()` and `GET /api/plugin` show it. */
export const PLUGIN_ID = "opencode-prune";
/** The id of the published plugin that serves the same pruning RPC. */
export const PUBLISHED_PLUGIN_ID = "codenomad-session-pruning";
/** The methods of the pruning RPC, and its event. */
export const PREVIEW_METHOD = "preview";
export const PRUNE_METHOD = "prune";
export const PRUNE_BATCH_METHOD = "pruneBatch";
export const PRUNED_EVENT_NAME = "pruned";
/** The type under which clients see the `pruned` event on the daemon's event stream. */
export const PRUNED_EVENT = `rpc.${PRUNING_RPC}.${PRUNED_EVENT_NAME}`;

export const BLOCKED_REASONS = [
  "unavailable",
  "maintenance_required",
  "conflict",
  "not_deletable",
  "unsupported_storage",
] as const;
export type BlockedReason = (typeof BLOCKED_REASONS)[number];

export const Blocked = z.strictObject({ status: z.literal("blocked"), reason: z.enum(BLOCKED_REASONS) });
export type Blocked = z.infer<typeof Blocked>;

export function blocked(reason: BlockedReason): Blocked {
  return { status: "blocked", reason };
}

export const PreviewInput = z.strictObject({ sessionID, messageID });
export type PreviewInput = z.infer<typeof PreviewInput>;

export const PreviewOutput = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("preview"),
    revision,
    liveMutation: z.boolean(),
    parts: z.array(z.strictObject({ index, type: z.enum(TECHNICAL_TYPES), bytes: count })),
  }),
  Blocked,
]);
export type PreviewOutput = z.infer<typeof PreviewOutput>;

export const PruneInput = z.strictObject({ sessionID, messageID, revision, indexes });
export type PruneInput = z.infer<typeof PruneInput>;

export const Pruned = z.strictObject({
  status: z.literal("pruned"),
  messageID,
  revision,
  removedCount: count,
});
export type Pruned = z.infer<typeof Pruned>;

export const PruneOutput = z.discriminatedUnion("status", [Pruned, Blocked]);
export type PruneOutput = z.infer<typeof PruneOutput>;

/** All technical parts of a message, told by how many they are. */
export const Candidate = z.strictObject({
  messageID,
  revision,
  toolCount: countOf("toolCount"),
  reasoningCount: countOf("reasoningCount"),
});
export type Candidate = z.infer<typeof Candidate>;

const CANDIDATES_RULE = `candidates must be 1 to ${MAX_BATCH} different messages`;

export const PruneBatchInput = z.strictObject({
  sessionID,
  candidates: z
    .array(Candidate, CANDIDATES_RULE)
    .min(1, CANDIDATES_RULE)
    .max(MAX_BATCH, CANDIDATES_RULE)
    .refine(
      (candidates) => new Set(candidates.map((one) => one.messageID)).size === candidates.length,
      CANDIDATES_RULE,
    ),
});
export type PruneBatchInput = z.infer<typeof PruneBatchInput>;

export const PruneBatchOutput = z.strictObject({
  results: z.array(z.strictObject({ messageID, result: PruneOutput })),
});
export type PruneBatchOutput = z.infer<typeof PruneBatchOutput>;

/** The data of the `pruned` event. */
export const PrunedEvent = z.strictObject({ sessionID, messageID, revision });
export type PrunedEvent = z.infer<typeof PrunedEvent>;
