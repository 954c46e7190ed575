import type { PreviewOutput } from "../contract/index.ts";
import { Facts, type Subject } from "./facts.ts";
import {
  EVENT_CHECKS,
  type FenceCheck,
  FIDELITY_CHECKS,
  firstFailing,
  IDENTITY_CHECKS,
  MEDIA_CHECKS,
  MESSAGE_CHECKS,
  OWNERSHIP_CHECKS,
  REST_CHECKS,
  STORAGE_CHECKS,
} from "./fence.ts";
import type { PruningDatabase } from "./pruning-database.ts";
import { technicalParts } from "./stored-message.ts";

/** Everything that a prune checks too, except that the session may be running: `liveMutation` tells that. */
export const BEFORE_PREVIEW: readonly FenceCheck[] = [
  ...STORAGE_CHECKS,
  ...OWNERSHIP_CHECKS,
  ...EVENT_CHECKS,
  ...MESSAGE_CHECKS,
  ...MEDIA_CHECKS,
  ...FIDELITY_CHECKS,
];

/** What could be pruned of one message, read in one snapshot. Throws what SQLite refuses. */
export function preview(database: PruningDatabase, subject: Subject): PreviewOutput {
  return inSnapshot(database, () => {
    const facts = new Facts(database, subject);
    const failing = firstFailing(BEFORE_PREVIEW, facts);
    if (failing) return { status: "blocked", reason: failing.reason };
    return {
      status: "preview",
      revision: facts.message.revision,
      liveMutation: firstFailing(REST_CHECKS, facts) !== undefined,
      parts: technicalParts(facts.message),
    };
  });
}

/** The first check that keeps this from being the daemon's own database. Throws what SQLite refuses. */
export function disproof(database: PruningDatabase, subject: Subject): FenceCheck | undefined {
  return inSnapshot(database, () =>
    firstFailing([...STORAGE_CHECKS, ...IDENTITY_CHECKS], new Facts(database, subject)),
  );
}

function inSnapshot<Result>(database: PruningDatabase, read: () => Result): Result {
  database.statement("BEGIN").run();
  try {
    return read();
  } finally {
    database.statement("ROLLBACK").run();
  }
}
