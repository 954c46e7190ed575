import type { OwnDatabase } from "../../database/index.ts";
import type { OpenRequestRow, RequestRow } from "./stored-request.ts";

export interface JobRow {
  readonly id: string;
  readonly created: number;
  readonly state: string;
  readonly owner: string | null;
  readonly expires: number | null;
}

export interface LeftRow {
  readonly sessions: number;
  readonly messages: number;
  readonly parts: number;
  readonly bytes: number;
}

interface ExactClaim {
  readonly id: string;
  readonly owner: string;
  readonly expires: number;
  readonly now: number;
}

export type JobStatements = ReturnType<typeof prepareJobStatements>;

const HELD = "id = @id AND owner = @owner AND expires = @expires AND quarantined IS NULL";
const OPEN = "state IN ('to_do', 'sent')";
/** Nobody holds it and nobody did when it ended. */
const LEFT_IN_ORDER = "state <> 'finished' AND owner IS NULL AND quarantined IS NULL";

/** Every statement that the store runs. A claim is always matched whole. */
export function prepareJobStatements(database: OwnDatabase) {
  return {
    addJob: database.prepare<
      [{ id: string; server: string; created: number; owner: string; expires: number }]
    >(
      `INSERT INTO job (id, server, created, state, owner, expires)
        VALUES (@id, @server, @created, 'unknown', @owner, @expires)`,
    ),
    addSession: database.prepare<[string, string, string]>(
      "INSERT INTO job_session (job, session, directory) VALUES (?, ?, ?)",
    ),
    addRequest: database.prepare<[RequestRow & { job: string; position: number; session: string }]>(
      `INSERT INTO request (job, position, session, message, revision, tools, reasoning, indexes, parts, bytes, state)
        VALUES (@job, @position, @session, @message, @revision, @tools, @reasoning, @indexes, @parts, @bytes, 'to_do')`,
    ),
    /** What older jobs that were left in order still wanted of the sessions that a new one cleans. */
    supersede: database.prepare<[{ server: string; by: string }]>(
      `DELETE FROM request WHERE ${OPEN}
        AND job IN (SELECT id FROM job WHERE server = @server AND ${LEFT_IN_ORDER})
        AND session IN (SELECT session FROM job_session WHERE job = @by)`,
    ),
    finishEmptied: database.prepare<[string]>(
      `UPDATE job SET state = 'finished' WHERE server = ? AND ${LEFT_IN_ORDER}
        AND NOT EXISTS (SELECT 1 FROM request WHERE job = job.id AND ${OPEN})`,
    ),
    forgetFinished: database.prepare<[number, number]>(
      `DELETE FROM job WHERE id IN
        (SELECT id FROM job WHERE state = 'finished' AND created < ? ORDER BY created LIMIT ?)`,
    ),
    acquire: database.prepare<[{ id: string; owner: string; expires: number }]>(
      `UPDATE job SET owner = @owner, expires = @expires, state = 'unknown' WHERE id = @id AND ${LEFT_IN_ORDER}`,
    ),
    recover: database.prepare<[ExactClaim & { newOwner: string; newExpires: number }]>(
      `UPDATE job SET owner = @newOwner, expires = @newExpires WHERE ${HELD} AND expires <= @now`,
    ),
    hold: database.prepare<[ExactClaim & { newExpires: number }]>(
      `UPDATE job SET expires = @newExpires WHERE ${HELD} AND expires > @now`,
    ),
    end: database.prepare<[ExactClaim & { state: string }]>(
      `UPDATE job SET state = @state, owner = NULL, expires = NULL WHERE ${HELD} AND expires > @now`,
    ),
    discard: database.prepare<[{ id: string; owner: string | null; expires: number | null; now: number }]>(
      `DELETE FROM job WHERE id = @id AND owner IS @owner AND expires IS @expires AND state <> 'finished'
        AND quarantined IS NULL AND (expires IS NULL OR expires <= @now)`,
    ),
    setSent: database.prepare<[string, number]>(
      "UPDATE request SET state = 'sent' WHERE job = ? AND position = ? AND state = 'to_do'",
    ),
    settle: database.prepare<[{ job: string; position: number; state: string; reason: string | null }]>(
      `UPDATE request SET state = @state, reason = @reason WHERE job = @job AND position = @position AND ${OPEN}`,
    ),
    open: database.prepare<[string, number, number], OpenRequestRow>(
      `SELECT position, session, directory, message, revision, tools, reasoning, indexes, parts, bytes, state
        FROM request JOIN job_session USING (job, session)
        WHERE job = ? AND position > ? AND ${OPEN} ORDER BY position LIMIT ?`,
    ),
    countOpen: database.prepare<[string], { readonly toDo: number; readonly sent: number }>(
      `SELECT count(*) FILTER (WHERE state = 'to_do') AS toDo, count(*) FILTER (WHERE state = 'sent') AS sent
        FROM request WHERE job = ? AND ${OPEN}`,
    ),
    left: database.prepare<[string], LeftRow>(
      `SELECT count(DISTINCT session) AS sessions, count(*) AS messages, coalesce(sum(parts), 0) AS parts,
        coalesce(sum(bytes), 0) AS bytes FROM request WHERE job = ? AND ${OPEN}`,
    ),
    interrupted: database.prepare<[{ server: string; now: number; limit: number }], JobRow>(
      `SELECT id, created, state, owner, expires FROM job
        WHERE server = @server AND state <> 'finished' AND quarantined IS NULL
          AND (expires IS NULL OR expires <= @now)
        ORDER BY created, id LIMIT @limit`,
    ),
    /** For a job that was cut off between its last outcome and its end. */
    finishCutOff: database.prepare<
      [{ id: string; owner: string | null; expires: number | null; now: number }]
    >(
      `UPDATE job SET state = 'finished', owner = NULL, expires = NULL
        WHERE id = @id AND owner IS @owner AND expires IS @expires AND (expires IS NULL OR expires <= @now)
          AND NOT EXISTS (SELECT 1 FROM request WHERE job = job.id AND ${OPEN})`,
    ),
    quarantineJob: database.prepare<[{ id: string; reason: string; now: number }]>(
      `UPDATE job SET quarantined = @reason WHERE id = @id AND quarantined IS NULL
        AND (expires IS NULL OR expires <= @now)`,
    ),
  };
}
