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

// A refusal by the daemon shows the words of an issue without its path, so the words name the member.
const idOf = (member: string) => {
  const rule = `${member} must be 1 to ${MAX_ID_LENGTH} characters`;
  return z.string(rule).min(1, rule).max(MAX_ID_LENGTH, rule);
};
const sessionID = idOf("sessionID");
const messageID = idOf("messageID");
const REVISION_RULE = "revision must be 64 lower-case hex digits";
const revision = z.string(REVISION_RULE).regex(/^[0-9a-f]{64}$/, REVISION_RULE);
const INDEX_RULE = `each of indexes must be a whole number from 0 to ${MAX_PART_INDEX}`;
const index = z.number(INDEX_RULE).int(INDEX_RULE).min(0, INDEX_RULE).max(MAX_PART_INDEX, INDEX_RULE);
const INDEXES_RULE = `indexes must be 1 to ${MAX_PARTS} unique numbers`;
const count = z.number().int().min(0);

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

export const PruneInput = z.strictObject({
  sessionID,
  messageID,
  revision,
  indexes: z
    .array(index, INDEXES_RULE)
    .min(1, INDEXES_RULE)
    .max(MAX_PARTS, INDEXES_RULE)
    .refine((indexes) => new Set(indexes).size === indexes.length, INDEXES_RULE),
});
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

export const PruneBatchInput = z.strictObject({
  sessionID,
  candidates: z
    .array(z.strictObject({ messageID, revision, toolCount: count, reasoningCount: count }))
    .min(1)
    .max(MAX_BATCH)
    .refine(
      (candidates) => new Set(candidates.map((one) => one.messageID)).size === candidates.length,
      "candidates must be unique",
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
