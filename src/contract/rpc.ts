import { z } from "zod";
import { MAX_BATCH, MAX_ID_LENGTH, MAX_PART_INDEX, MAX_PARTS } from "./limits.ts";
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

const id = z.string().min(1).max(MAX_ID_LENGTH);
const revision = z.string().regex(/^[0-9a-f]{64}$/, "a revision is 64 lower-case hex digits");
const index = z.number().int().min(0).max(MAX_PART_INDEX);
const count = z.number().int().min(0);

export const Blocked = z.strictObject({ status: z.literal("blocked"), reason: z.enum(BLOCKED_REASONS) });
export type Blocked = z.infer<typeof Blocked>;

export function blocked(reason: BlockedReason): Blocked {
  return { status: "blocked", reason };
}

export const PreviewInput = z.strictObject({ sessionID: id, messageID: id });
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

export const PruneInput = z.strictObject({
  sessionID: id,
  messageID: id,
  revision,
  indexes: z
    .array(index)
    .min(1)
    .max(MAX_PARTS)
    .refine((indexes) => new Set(indexes).size === indexes.length, "indexes must be unique"),
});
export type PruneInput = z.infer<typeof PruneInput>;

export const Pruned = z.strictObject({
  status: z.literal("pruned"),
  messageID: id,
  revision,
  removedCount: count,
});
export type Pruned = z.infer<typeof Pruned>;

export const PruneOutput = z.discriminatedUnion("status", [Pruned, Blocked]);
export type PruneOutput = z.infer<typeof PruneOutput>;

export const PruneBatchInput = z.strictObject({
  sessionID: id,
  candidates: z
    .array(z.strictObject({ messageID: id, revision, toolCount: count, reasoningCount: count }))
    .min(1)
    .max(MAX_BATCH)
    .refine(
      (candidates) => new Set(candidates.map((one) => one.messageID)).size === candidates.length,
      "candidates must be unique",
    ),
});
export type PruneBatchInput = z.infer<typeof PruneBatchInput>;

export const PruneBatchOutput = z.strictObject({
  results: z.array(z.strictObject({ messageID: id, result: PruneOutput })),
});
export type PruneBatchOutput = z.infer<typeof PruneBatchOutput>;

/** The data of the `pruned` event. */
export const PrunedEvent = z.strictObject({ sessionID: id, messageID: id, revision });
export type PrunedEvent = z.infer<typeof PrunedEvent>;
