import type { CacheDatabase } from "./open-database.ts";
import type { ContentRow, ListingRow, MessageRow } from "./rows.ts";

type Columns<Row> = readonly (keyof Row & string)[];

const LISTING: Columns<ListingRow> = ["title", "directory", "project", "parent", "created", "updated"];

const CONTENT: Columns<ContentRow> = [
  "messages",
  "stored_bytes",
  "technical_parts",
  "technical_bytes",
  "other_messages",
  "other_bytes",
  "fingerprint",
];

const MESSAGE: Columns<MessageRow> = [
  "position",
  "created",
  "completed",
  "stored_bytes",
  "unprunable",
  "kept_parts",
  "kept_bytes",
  "parts",
];

interface InServer {
  readonly server: number;
}

interface InSession extends InServer {
  readonly session: string;
}

export type ReadStatements = ReturnType<typeof prepareReads>;
export type WriteStatements = ReturnType<typeof prepareWrites>;

export function prepareReads(database: CacheDatabase) {
  return {
    server: database.prepare<[string], number>("SELECT id FROM server WHERE address = ?").pluck(),
    sessions: database.prepare<[number, number], ListingRow & ContentRow>(
      `SELECT id, ${[...LISTING, ...CONTENT].join(", ")} FROM session WHERE server = ?
        ORDER BY technical_bytes DESC LIMIT ?`,
    ),
    content: database.prepare<[number, string], ContentRow>(
      `SELECT ${CONTENT.join(", ")} FROM session WHERE server = ? AND id = ?`,
    ),
    messages: database.prepare<[number, string], MessageRow>(
      `SELECT id, ${MESSAGE.join(", ")} FROM message WHERE server = ? AND session = ? ORDER BY position`,
    ),
  };
}

/** A write that would change nothing writes nothing. */
export function prepareWrites(database: CacheDatabase) {
  return {
    addServer: database.prepare<[string]>("INSERT INTO server (address) VALUES (?) ON CONFLICT DO NOTHING"),
    putListing: database.prepare<[ListingRow & InServer]>(upsert("session", ["server", "id"], LISTING)),
    deleteSession: database.prepare<[number, string]>("DELETE FROM session WHERE server = ? AND id = ?"),
    putContent: database.prepare<[ContentRow & InSession]>(
      `UPDATE session SET ${CONTENT.map((column) => `${column} = @${column}`).join(", ")}
        WHERE server = @server AND id = @session AND (${CONTENT.map((column) => `${column} IS NOT @${column}`).join(" OR ")})`,
    ),
    putMessage: database.prepare<[MessageRow & InSession]>(
      upsert("message", ["server", "session", "id"], MESSAGE),
    ),
    deleteMessage: database.prepare<[number, string, string]>(
      "DELETE FROM message WHERE server = ? AND session = ? AND id = ?",
    ),
  };
}

function upsert(table: string, key: readonly string[], columns: readonly string[]): string {
  const all = [...key, ...columns];
  const set = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  const differs = columns.map((column) => `${table}.${column} IS NOT excluded.${column}`).join(" OR ");
  return `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map((column) => `@${column}`).join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set} WHERE ${differs}`;
}
