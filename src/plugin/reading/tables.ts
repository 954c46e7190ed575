import type { SessionRefusal } from "../../contract/index.ts";
import { Facts } from "../facts.ts";
import { firstFailing, OWNERSHIP_CHECKS } from "../fence.ts";
import { hasTable } from "../pruning-database.ts";
import type { Reading } from "./scan.ts";

const READ_TABLES: Readonly<Record<string, readonly string[]>> = {
  session_v2: ["id", "project_id", "workspace_id", "directory"],
  session_message: ["id", "session_id", "type", "seq", "time_created", "time_updated", "data"],
  event_sequence: ["aggregate_id", "seq"],
  kv: ["key", "value"],
};

/** The tables that reading needs are there. Reading asks for less than pruning does. */
export function isReadable({ database }: Reading): boolean {
  const schema = database.schema();
  return Object.entries(READ_TABLES).every(([table, columns]) => hasTable(schema, table, columns));
}

export function factsOfSession(reading: Reading, sessionID: string): Facts {
  return new Facts(reading.database, { sessionID, messageID: "", location: reading.location });
}

/** Why the session is not read for this location; undefined when it is. */
export function refusalOfSession(facts: Facts): SessionRefusal | undefined {
  if (facts.session === undefined) return "missing";
  return firstFailing(OWNERSHIP_CHECKS, facts) ? "other_location" : undefined;
}

const SEQUENCE = `SELECT (SELECT seq FROM event_sequence WHERE aggregate_id = session_v2.id) AS seq
  FROM session_v2 WHERE id = ?`;

/** The number of the session's last durable event, NULL where it never had one; undefined where no session is. */
export function lastEvent({ database }: Reading, sessionID: string): { readonly seq: unknown } | undefined {
  const row = database.statement(SEQUENCE).get(sessionID);
  return row && { seq: row.seq };
}
