import type { BlockedReason, Pruned, PruneInput } from "../contract/index.ts";
import { removeParts } from "./edit.ts";
import { Facts, type Subject } from "./facts.ts";
import {
  EVENT_CHECKS,
  firstFailing,
  IDENTITY_CHECKS,
  MESSAGE_CHECKS,
  OWNERSHIP_CHECKS,
  REQUEST_CHECKS,
  REST_CHECKS,
  STORAGE_CHECKS,
} from "./fence.ts";
import type { PruningDatabase } from "./pruning-database.ts";
import { findReceipt, insertReceipt, requestKey } from "./receipts.ts";
import { withoutParts } from "./stored-message.ts";

export type PruneDecision =
  | { readonly pruned: Pruned }
  | { readonly refused: BlockedReason; readonly why: string };

/** A replay changes nothing in the history, so only these must hold for it. */
const BEFORE_REPLAY = [...STORAGE_CHECKS, ...IDENTITY_CHECKS, ...OWNERSHIP_CHECKS];
const BEFORE_EDIT = [...REST_CHECKS, ...EVENT_CHECKS, ...MESSAGE_CHECKS, ...REQUEST_CHECKS];

/**
 * Prunes one message, all or nothing. Synchronous from `BEGIN IMMEDIATE` to `COMMIT`. The nonce in `subject`
 * is consumed by the same commit. Throws what SQLite refuses, with nothing changed.
 */
export function prune(database: PruningDatabase, request: PruneInput, subject: Subject): PruneDecision {
  database.statement("BEGIN IMMEDIATE").run();
  try {
    const decision = pruneUnderLock(database, request, subject);
    if ("pruned" in decision) {
      consumeNonce(database, subject);
      database.statement("COMMIT").run();
    } else {
      database.statement("ROLLBACK").run();
    }
    return decision;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function pruneUnderLock(database: PruningDatabase, request: PruneInput, subject: Subject): PruneDecision {
  const facts = new Facts(database, subject);
  const foreign = firstFailing(BEFORE_REPLAY, facts);
  if (foreign) return { refused: foreign.reason, why: foreign.name };

  const key = requestKey(request);
  const receipt = findReceipt(database, key);
  if (receipt) return { pruned: receipt };

  const failing = firstFailing(BEFORE_EDIT, facts);
  if (failing) return { refused: failing.reason, why: failing.name };
  const message = facts.message;
  if (!message) return { refused: "not_deletable", why: "the message is missing" };

  const after = withoutParts(message, request.indexes);
  const outcome = removeParts(database, {
    messageID: request.messageID,
    sessionID: request.sessionID,
    before: message.text,
    after: after.text,
    indexes: request.indexes,
  });
  if (outcome === "changed_meanwhile") return { refused: "conflict", why: "the row is what was read" };
  if (outcome === "not_faithful") return { refused: "not_deletable", why: "what stays keeps every byte" };

  const pruned: Pruned = {
    status: "pruned",
    messageID: request.messageID,
    revision: after.revision,
    removedCount: request.indexes.length,
  };
  insertReceipt(database, key, request, pruned);
  return { pruned };
}

function consumeNonce(database: PruningDatabase, { nonce }: Subject): void {
  if (nonce) database.statement("DELETE FROM kv WHERE key = ? AND value = ?").run(nonce.key, nonce.value);
}

function rollBack(database: PruningDatabase): void {
  try {
    database.connection.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back already, as it does by itself for a full disk or an I/O error.
  }
}
