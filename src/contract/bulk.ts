import * as z from "zod";
import { MAX_BULK } from "./limits.ts";
import { count, indexes, messageID, revision, sessionID } from "./members.ts";
import { Candidate, PruneOutput } from "./rpc.ts";

/**
 * A method that our plugin adds to the pruning RPC; the published one answers `rpc.method_not_found`, and the caller
 * falls back to `pruneBatch`. The same guarantees: one transaction, one receipt and one event for each message.
 */
export const PRUNE_BULK_METHOD = "pruneBulk";

/** Either all technical parts of a message, told by how many they are, or the parts at some indexes. */
export const BulkRequest = z.union([Candidate, z.strictObject({ messageID, revision, indexes })]);
export type BulkRequest = z.infer<typeof BulkRequest>;

const REQUESTS_RULE = `requests must be 1 to ${MAX_BULK} different messages`;

export const PruneBulkInput = z.strictObject({
  sessionID,
  requests: z
    .array(BulkRequest, REQUESTS_RULE)
    .min(1, REQUESTS_RULE)
    .max(MAX_BULK, REQUESTS_RULE)
    .refine(
      (requests) => new Set(requests.map((one) => one.messageID)).size === requests.length,
      REQUESTS_RULE,
    ),
});
export type PruneBulkInput = z.infer<typeof PruneBulkInput>;

export const PruneBulkOutput = z.strictObject({
  /** Of the first requests, in their order: as many as the bytes and the time of one call allow, at least one. */
  results: z.array(z.strictObject({ messageID, result: PruneOutput })),
  /** How many requests were not reached. Nothing was done for them: send them again. */
  left: count,
});
export type PruneBulkOutput = z.infer<typeof PruneBulkOutput>;
