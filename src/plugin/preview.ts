import type { PreviewOutput } from "../contract/index.ts";
import { Facts, type Subject } from "./facts.ts";
import {
  EVENT_CHECKS,
  firstFailing,
  MESSAGE_CHECKS,
  OWNERSHIP_CHECKS,
  REST_CHECKS,
  STORAGE_CHECKS,
} from "./fence.ts";
import type { PruningDatabase } from "./pruning-database.ts";
import { technicalParts } from "./stored-message.ts";

const BEFORE_PREVIEW = [...STORAGE_CHECKS, ...OWNERSHIP_CHECKS, ...EVENT_CHECKS, ...MESSAGE_CHECKS];

/** What could be pruned of one message, read in one snapshot. Throws what SQLite refuses. */
export function preview(database: PruningDatabase, subject: Subject): PreviewOutput {
  database.statement("BEGIN").run();
  try {
    const facts = new Facts(database, subject);
    const failing = firstFailing(BEFORE_PREVIEW, facts);
    if (failing || !facts.message) return { status: "blocked", reason: failing?.reason ?? "not_deletable" };
    return {
      status: "preview",
      revision: facts.message.revision,
      liveMutation: firstFailing(REST_CHECKS, facts) !== undefined,
      parts: technicalParts(facts.message),
    };
  } finally {
    database.statement("ROLLBACK").run();
  }
}
