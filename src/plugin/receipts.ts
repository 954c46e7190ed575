import { createHash } from "node:crypto";
import { type Candidate, canonicalJson, type Pruned, type PruneInput } from "../contract/index.ts";
import type { Facts } from "./facts.ts";

/** Our own table in the daemon's database: one row for each prune that was committed, without any content. */
export const RECEIPT_TABLE = "opencode_prune_receipt";
export const RECEIPT_COLUMNS = [
  "request",
  "session_id",
  "message_id",
  "revision_before",
  "revision_after",
  "removed_count",
  "time_created",
] as const;

const CREATE = `CREATE TABLE IF NOT EXISTS ${RECEIPT_TABLE} (
  request TEXT PRIMARY KEY NOT NULL,
  session_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  revision_before TEXT NOT NULL,
  revision_after TEXT NOT NULL,
  removed_count INTEGER NOT NULL,
  time_created INTEGER NOT NULL
) STRICT, WITHOUT ROWID`;
const INSERT = `INSERT INTO ${RECEIPT_TABLE} (${RECEIPT_COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (request) DO NOTHING`;
const FIND = `SELECT message_id, revision_after, removed_count FROM ${RECEIPT_TABLE} WHERE request = ?`;

/** What a message is pruned by: the indexes of its parts, or the numbers of all of them. */
export type PruneRequest = PruneInput | ({ readonly sessionID: string } & Candidate);

/** Names a request whatever the order of its indexes: SHA-256 of its canonical JSON, in hex. */
export function requestKey(request: PruneRequest): string {
  const inOrder =
    "indexes" in request
      ? { ...request, indexes: [...request.indexes].sort((one, other) => one - other) }
      : request;
  return createHash("sha256").update(canonicalJson(inOrder), "utf8").digest("hex");
}

export function findReceipt({ database, schema }: Facts, key: string): Pruned | undefined {
  if (!schema.tables.has(RECEIPT_TABLE)) return undefined;
  const row = database.statement(FIND).get(key);
  if (!row) return undefined;
  return {
    status: "pruned",
    messageID: String(row.message_id),
    revision: String(row.revision_after),
    removedCount: Number(row.removed_count),
  };
}

export function insertReceipt(
  { database, schema }: Facts,
  key: string,
  request: PruneRequest,
  pruned: Pruned,
): void {
  if (!schema.tables.has(RECEIPT_TABLE)) database.connection.exec(CREATE);
  database
    .statement(INSERT)
    .run(
      key,
      request.sessionID,
      request.messageID,
      request.revision,
      pruned.revision,
      pruned.removedCount,
      Date.now(),
    );
}
