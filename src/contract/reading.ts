import * as z from "zod";
import { MAX_NAMED_SESSIONS } from "./limits.ts";
import { count, cursor, idOf, sessionID } from "./members.ts";
import { OutlinePage } from "./outline-wire.ts";

/**
 * The RPC that only reads, id `opencode-prune`. It is versioned by the methods that it has: a daemon whose plugin
 * lacks one answers `rpc.method_not_found`, and the caller falls back.
 */
export const USAGE_METHOD = "usage";
export const OUTLINE_METHOD = "outline";
export const FINGERPRINT_METHOD = "fingerprint";

const SESSIONS_RULE = `sessionIDs must be 1 to ${MAX_NAMED_SESSIONS} different ids`;
const sessionIDs = z
  .array(idOf("each of sessionIDs"), SESSIONS_RULE)
  .min(1, SESSIONS_RULE)
  .max(MAX_NAMED_SESSIONS, SESSIONS_RULE)
  .refine((ids) => new Set(ids).size === ids.length, SESSIONS_RULE);

/** Why one session of a request is not in the answer. */
export const SESSION_REFUSALS = ["missing", "other_location"] as const;
export type SessionRefusal = (typeof SESSION_REFUSALS)[number];

/** Why a request is not answered. */
export const READING_REFUSALS = [
  ...SESSION_REFUSALS,
  /** No database, or the thread that reads it cannot be started. */
  "unavailable",
  /** The database is locked; ask again later. */
  "maintenance_required",
  /** The file is not provably this daemon's database, or not one that the plugin understands. */
  "unsupported_storage",
  /** The cursor belongs to another request. */
  "cursor_foreign",
  /** The cursor was made before the plugin was started, or for a file that is no longer the database. */
  "cursor_stale",
  /** The cursor was not made by this plugin. */
  "cursor_forged",
] as const;
export type ReadingRefusal = (typeof READING_REFUSALS)[number];

export const ReadingRefused = z.strictObject({
  status: z.literal("refused"),
  reason: z.enum(READING_REFUSALS),
});
export type ReadingRefused = z.infer<typeof ReadingRefused>;

export function refused(reason: ReadingRefusal): ReadingRefused {
  return { status: "refused", reason };
}

const refusedSessions = z.array(z.strictObject({ sessionID, reason: z.enum(SESSION_REFUSALS) }));

/** All sessions of the database in the order of their ids, or the named ones in the order of their naming. */
export const UsageInput = z.strictObject({ sessionIDs: sessionIDs.optional(), cursor: cursor.optional() });
export type UsageInput = z.infer<typeof UsageInput>;

export const SessionUsage = z.strictObject({
  sessionID,
  /** Messages of every type. */
  messages: count,
  /** Bytes that the rows of the messages take. */
  storedBytes: count,
  /** The session's last durable sequence number, as events carry it. */
  newestSequence: count,
});
export type SessionUsage = z.infer<typeof SessionUsage>;

export const UsagePage = z.strictObject({
  status: z.literal("page"),
  sessions: z.array(SessionUsage),
  refused: refusedSessions,
  /** Ask again with it for what follows; null at the end. */
  cursor: cursor.nullable(),
});
export type UsagePage = z.infer<typeof UsagePage>;

export const UsageOutput = z.discriminatedUnion("status", [UsagePage, ReadingRefused]);
export type UsageOutput = z.infer<typeof UsageOutput>;

/** One session of the location at which the call is made. */
export const OutlineInput = z.strictObject({ sessionID, cursor: cursor.optional() });
export type OutlineInput = z.infer<typeof OutlineInput>;

export const OutlineOutput = z.discriminatedUnion("status", [OutlinePage, ReadingRefused]);
export type OutlineOutput = z.infer<typeof OutlineOutput>;

export const FingerprintInput = z.strictObject({ sessionIDs });
export type FingerprintInput = z.infer<typeof FingerprintInput>;

export const SessionFingerprint = z.strictObject({
  sessionID,
  /** Opaque. Equal means: the same rows, of the same sizes, last written at the same milliseconds. */
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
});
export type SessionFingerprint = z.infer<typeof SessionFingerprint>;

export const Fingerprints = z.strictObject({
  status: z.literal("fingerprints"),
  fingerprints: z.array(SessionFingerprint),
  refused: refusedSessions,
  /** Named, but not reached in the time of one answer: ask for these again. */
  unread: z.array(sessionID),
});
export type Fingerprints = z.infer<typeof Fingerprints>;

export const FingerprintOutput = z.discriminatedUnion("status", [Fingerprints, ReadingRefused]);
export type FingerprintOutput = z.infer<typeof FingerprintOutput>;
