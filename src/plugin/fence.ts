import {
  type BlockedReason,
  isSettledStatus,
  isTechnicalType,
  MAX_MESSAGE_BYTES,
  MAX_PARTS,
} from "../contract/index.ts";
import type { Facts } from "./facts.ts";
import { namesMedia, recognisesMediaTables } from "./media.ts";
import { hasTable } from "./pruning-database.ts";

/** One thing that must hold before a message is pruned, and the reason that is answered when it does not. */
export interface FenceCheck {
  readonly name: string;
  readonly reason: BlockedReason;
  readonly holds: (facts: Facts) => boolean;
}

const NATIVE_TABLES: Readonly<Record<string, readonly string[]>> = {
  session_v2: ["id", "project_id", "workspace_id", "directory", "revert", "time_compacting"],
  session_message: ["id", "session_id", "type", "data"],
  event: ["aggregate_id"],
  event_sequence: ["aggregate_id", "owner_id"],
  kv: ["key", "value"],
};
const CLAIM_TABLES: Readonly<Record<string, readonly string[]>> = {
  session_execution: ["session_id", "phase", "owner_id", "expires_at"],
  session_recovery: ["session_id"],
};

/** The storage is one that this plugin understands. */
export const STORAGE_CHECKS: readonly FenceCheck[] = [
  {
    name: "only the main database is attached",
    reason: "unsupported_storage",
    holds: ({ attached }) => attached.every((name) => name === "main" || name === "temp"),
  },
  {
    name: "no trigger exists",
    reason: "unsupported_storage",
    holds: ({ schema }) => schema.triggers === 0,
  },
  {
    name: "the expected tables and columns exist",
    reason: "unsupported_storage",
    holds: ({ schema }) =>
      Object.entries(NATIVE_TABLES).every(([table, columns]) => hasTable(schema, table, columns)),
  },
  {
    name: "the claims are of a kind that is known",
    reason: "unsupported_storage",
    holds: ({ schema }) => {
      const leased = Object.keys(CLAIM_TABLES).filter((table) => schema.tables.has(table));
      const known = leased.every((table) => hasTable(schema, table, CLAIM_TABLES[table] ?? []));
      const durable = schema.tables.get("session_v2")?.columns.has("time_suspended") === true;
      return known && (durable || leased.includes("session_execution"));
    },
  },
];

/** The database is the daemon's own: what was just written through the daemon is visible here. */
export const IDENTITY_CHECKS: readonly FenceCheck[] = [
  {
    name: "the identity nonce is visible",
    reason: "unsupported_storage",
    holds: (facts) => facts.nonceIsVisible,
  },
];

export const OWNERSHIP_CHECKS: readonly FenceCheck[] = [
  {
    name: "the session belongs to this location",
    reason: "not_deletable",
    holds: ({ session, subject: { location } }) =>
      session !== undefined &&
      session.directory === location.directory &&
      session.project_id === location.project.id &&
      (session.workspace_id ?? null) === (location.workspaceID ?? null),
  },
];

/** Nobody runs the session. */
export const REST_CHECKS: readonly FenceCheck[] = [
  {
    name: "no durable claim is set",
    reason: "maintenance_required",
    holds: ({ session }) => (session?.time_suspended ?? null) === null,
  },
  {
    name: "no leased claim exists",
    reason: "maintenance_required",
    holds: (facts) =>
      !facts.schema.tables.has("session_execution") || !facts.isClaimedIn("session_execution"),
  },
  {
    name: "no recovery is due",
    reason: "maintenance_required",
    holds: (facts) => !facts.schema.tables.has("session_recovery") || !facts.isClaimedIn("session_recovery"),
  },
  {
    name: "no compaction runs",
    reason: "maintenance_required",
    holds: ({ session }) => (session?.time_compacting ?? null) === null,
  },
  {
    name: "no revert is staged",
    reason: "maintenance_required",
    holds: ({ session }) => (session?.revert ?? null) === null,
  },
];

export const EVENT_CHECKS: readonly FenceCheck[] = [
  {
    name: "the session's events are counted here",
    reason: "unsupported_storage",
    holds: ({ sequence }) => sequence !== undefined,
  },
  {
    name: "nobody else owns the session's events",
    reason: "unsupported_storage",
    holds: ({ sequence }) => (sequence?.owner_id ?? null) === null,
  },
  {
    name: "no event is retained",
    reason: "unsupported_storage",
    holds: (facts) => !facts.retainsEvents,
  },
];

export const MESSAGE_CHECKS: readonly FenceCheck[] = [
  {
    name: "the row is an assistant message of the session",
    reason: "not_deletable",
    holds: ({ row }) => row?.type === "assistant",
  },
  {
    name: "the row is not too large",
    reason: "not_deletable",
    holds: ({ row }) => Number(row?.bytes) <= MAX_MESSAGE_BYTES,
  },
  {
    name: "the row is a JSON object with one content array",
    reason: "not_deletable",
    holds: (facts) => facts.isReadable,
  },
  {
    name: "the message is completed",
    reason: "not_deletable",
    holds: ({ message }) => typeof message.completed === "number" && message.completed > 0,
  },
  {
    name: "the message has not too many parts",
    reason: "not_deletable",
    holds: ({ message }) => message.parts.length <= MAX_PARTS,
  },
  {
    name: "every part is of a known kind",
    reason: "not_deletable",
    holds: ({ message }) => message.parts.every((part) => part.type === "text" || isTechnicalType(part.type)),
  },
  {
    name: "every tool has settled",
    reason: "not_deletable",
    holds: ({ message }) =>
      message.parts.every((part) => part.type !== "tool" || isSettledStatus(part.status)),
  },
];

/** Media that lives outside the message is of a kind that can be released with it. */
export const MEDIA_CHECKS: readonly FenceCheck[] = [
  {
    name: "media references are of a kind that is known",
    reason: "unsupported_storage",
    holds: ({ message, schema }) => !namesMedia(message.parts) || recognisesMediaTables(schema),
  },
];

/** An edit by SQLite takes away what was asked for and nothing else; the edit itself is compared again. */
export const FIDELITY_CHECKS: readonly FenceCheck[] = [
  {
    name: "SQLite reads the row as it is written",
    reason: "not_deletable",
    holds: (facts) => facts.isFaithful,
  },
];

/** What was asked for fits what is stored. */
export const REQUEST_CHECKS: readonly FenceCheck[] = [
  {
    name: "the content is what the caller saw",
    reason: "conflict",
    holds: ({ message, subject }) => message.revision === subject.revision,
  },
  {
    name: "every index names a technical part",
    reason: "not_deletable",
    holds: ({ message, subject }) =>
      subject.counts !== undefined ||
      subject.indexes?.every((index) => isTechnicalType(message.parts[index]?.type)) === true,
  },
];

/** The same, where the caller saw how many parts there are instead of which. */
export const COUNT_CHECKS: readonly FenceCheck[] = [
  {
    name: "the parts are as many as the caller saw",
    reason: "conflict",
    holds: ({ message: { parts }, subject: { counts } }) =>
      counts === undefined ||
      (counts.toolCount === parts.filter((part) => part.type === "tool").length &&
        counts.reasoningCount === parts.filter((part) => part.type === "reasoning").length),
  },
  {
    name: "there is a part to delete",
    reason: "not_deletable",
    holds: ({ subject: { counts } }) => counts === undefined || counts.toolCount + counts.reasoningCount > 0,
  },
];

/** The first check that does not hold. */
export function firstFailing(checks: readonly FenceCheck[], facts: Facts): FenceCheck | undefined {
  return checks.find((check) => !check.holds(facts));
}
