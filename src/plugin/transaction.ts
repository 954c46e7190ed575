import { type BlockedReason, isTechnicalType, type Pruned } from "../contract/index.ts";
import { removeParts } from "./edit.ts";
import { Facts, type Subject } from "./facts.ts";
import {
  COUNT_CHECKS,
  EVENT_CHECKS,
  type FenceCheck,
  firstFailing,
  IDENTITY_CHECKS,
  MEDIA_CHECKS,
  MESSAGE_CHECKS,
  OWNERSHIP_CHECKS,
  REQUEST_CHECKS,
  REST_CHECKS,
  STORAGE_CHECKS,
} from "./fence.ts";
import { releasedMedia, releaseMedia } from "./media.ts";
import type { PruningDatabase } from "./pruning-database.ts";
import { findReceipt, insertReceipt, type PruneRequest, requestKey } from "./receipts.ts";
import { type StoredMessage, withoutParts } from "./stored-message.ts";

export type PruneDecision = Decided & {
  /** The stored bytes of the message before the decision; 0 where it came to no look at the message. */
  readonly storedBytes: number;
};

type Decided = { readonly pruned: Pruned } | Refused;

export interface Refused {
  readonly refused: BlockedReason;
  /** The name of the check that did not hold. */
  readonly check: string;
}

/** A replay tells what was done and changes nothing in the history: only who asks, and where, matters for it. */
export const BEFORE_REPLAY: readonly FenceCheck[] = [
  ...STORAGE_CHECKS,
  ...IDENTITY_CHECKS,
  ...OWNERSHIP_CHECKS,
];
export const BEFORE_EDIT: readonly FenceCheck[] = [
  ...REST_CHECKS,
  ...EVENT_CHECKS,
  ...MESSAGE_CHECKS,
  ...REQUEST_CHECKS,
  ...MEDIA_CHECKS,
];

/**
 * Prunes one message, all or nothing. Synchronous from `BEGIN IMMEDIATE` to `COMMIT`, which also consumes the
 * nonce of `subject` unless that keeps it. Throws what SQLite refuses, with nothing changed.
 */
export function prune(database: PruningDatabase, request: PruneRequest, subject: Subject): PruneDecision {
  database.statement("BEGIN IMMEDIATE").run();
  try {
    const facts = new Facts(database, subject);
    const decision = pruneUnderLock(facts, request);
    if ("pruned" in decision) {
      consumeNonce(database, subject);
      database.statement("COMMIT").run();
    } else {
      database.statement("ROLLBACK").run();
    }
    return { ...decision, storedBytes: facts.bytesSeen };
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function pruneUnderLock(facts: Facts, request: PruneRequest): Decided {
  const foreign = firstFailing(BEFORE_REPLAY, facts);
  if (foreign) return { refused: foreign.reason, check: foreign.name };

  const key = requestKey(request);
  const receipt = findReceipt(facts, key);
  if (receipt && !isRestored(facts, request)) return { pruned: receipt };

  const failing = firstFailing([...BEFORE_EDIT, ...COUNT_CHECKS], facts);
  if (failing) return { refused: failing.reason, check: failing.name };
  return edit(facts, request, key);
}

/** The very content that was pruned once is back, as after an import: then its parts go again, with that receipt. */
function isRestored(facts: Facts, request: PruneRequest): boolean {
  return !firstFailing(MESSAGE_CHECKS, facts) && facts.message.revision === request.revision;
}

function edit(facts: Facts, request: PruneRequest, key: string): Decided {
  const { database, message } = facts;
  const indexes = "indexes" in request ? request.indexes : technicalIndexes(message);
  const after = withoutParts(message, indexes);
  const isFaithful = removeParts(database, {
    messageID: request.messageID,
    before: message.text,
    after: after.text,
    indexes,
  });
  if (!isFaithful) return { refused: "not_deletable", check: "what stays keeps every byte" };
  releaseMedia(database, request.messageID, releasedMedia(message, indexes, after.text));
  const pruned: Pruned = {
    status: "pruned",
    messageID: request.messageID,
    revision: after.revision,
    removedCount: indexes.length,
  };
  insertReceipt(facts, key, request, pruned);
  return { pruned };
}

function technicalIndexes(message: StoredMessage): readonly number[] {
  return message.parts.flatMap((part, index) => (isTechnicalType(part.type) ? [index] : []));
}

function consumeNonce(database: PruningDatabase, { nonce, keepsNonce }: Subject): void {
  if (nonce && !keepsNonce)
    database.statement("DELETE FROM kv WHERE key = ? AND value = ?").run(nonce.key, nonce.value);
}

function rollBack(database: PruningDatabase): void {
  try {
    database.connection.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, as it may for a full disk or an I/O error.
  }
}
