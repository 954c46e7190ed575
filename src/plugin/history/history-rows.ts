import type { HistoryInput } from "../../contract/index.ts";
import type { Reading } from "../reading/scan.ts";

/** Where a scan of history stands: the session, the `seq` behind it, and the row beyond which nothing is scanned. */
export interface HistoryPosition {
  readonly session: string;
  readonly seq: number;
  readonly horizon: number;
}

export interface HistoryRow {
  readonly sessionID: string;
  readonly directory: string;
  readonly workspaceID: string | undefined;
  readonly messageID: string;
  readonly type: string;
  readonly seq: number;
  readonly bytes: number;
}

interface ScannedSession {
  readonly id: string;
  readonly directory: string;
  readonly workspaceID: string | undefined;
}

const COLUMNS = "id, directory, workspace_id";
const ONE = `SELECT ${COLUMNS} FROM session_v2 WHERE id = ?`;
/** The location's own sessions and those of the folders below it, of its project or from before it had one. */
const BELOW = `SELECT ${COLUMNS} FROM session_v2
  WHERE id >= ? AND project_id IN (?, 'global') AND workspace_id IS ?
    AND (directory = ? OR substr(directory, 1, length(?)) = ?)
  ORDER BY id LIMIT 2`;
const ROWS = `SELECT id, type, seq, octet_length(data) AS bytes FROM session_message
  WHERE session_id = ? AND seq > ? AND rowid <= ? ORDER BY seq LIMIT ?`;

/** The messages that a request of `history` scans: session after session, each in its own order. */
export class HistoryRows {
  readonly #reading: Reading;
  readonly #input: HistoryInput;
  #position: HistoryPosition;

  constructor(reading: Reading, input: HistoryInput, position: HistoryPosition) {
    this.#reading = reading;
    this.#input = input;
    this.#position = position;
  }

  static start(reading: Reading, input: HistoryInput): HistoryRows {
    const newest = reading.database.statement("SELECT max(rowid) AS horizon FROM session_message").get();
    return new HistoryRows(reading, input, {
      session: input.sessionID ?? "",
      seq: -1,
      horizon: Number(newest?.horizon ?? 0),
    });
  }

  get position(): HistoryPosition {
    return this.#position;
  }

  /** The next rows, at most `limit`, all of one session; none at the end. Their sizes come from record headers. */
  next(limit: number): readonly HistoryRow[] {
    for (;;) {
      const [session, following] = this.#sessions();
      if (!session) return [];
      const rows = this.#rowsOf(session, limit);
      if (rows.length > 0) return rows;
      if (!following) return [];
      this.#position = { ...this.#position, session: following.id, seq: -1 };
    }
  }

  /** Counts the row as scanned. */
  take(row: HistoryRow): void {
    this.#position = { ...this.#position, session: row.sessionID, seq: row.seq };
  }

  #rowsOf(session: ScannedSession, limit: number): readonly HistoryRow[] {
    const seq = session.id === this.#position.session ? this.#position.seq : -1;
    return this.#reading.database
      .statement(ROWS)
      .all(session.id, seq, this.#position.horizon, limit)
      .map((row) => ({
        sessionID: session.id,
        directory: session.directory,
        workspaceID: session.workspaceID,
        messageID: String(row.id),
        type: String(row.type),
        seq: Number(row.seq),
        bytes: Number(row.bytes),
      }));
  }

  /** The session at the position, or the first after it, and the one that follows. */
  #sessions(): readonly ScannedSession[] {
    const { database, location } = this.#reading;
    const { session } = this.#position;
    const rows =
      this.#input.sessionID === undefined
        ? database
            .statement(BELOW)
            .all(
              session,
              location.project.id,
              location.workspaceID ?? null,
              location.directory,
              ...repeated(insideOf(location.directory)),
            )
        : database.statement(ONE).all(session);
    return rows.map((row) => ({
      id: String(row.id),
      directory: String(row.directory),
      workspaceID: typeof row.workspace_id === "string" ? row.workspace_id : undefined,
    }));
  }
}

function repeated(text: string): readonly [string, string] {
  return [text, text];
}

/** How the path of every folder inside this one begins. */
function insideOf(directory: string): string {
  const separator = directory.includes("\\") && !directory.includes("/") ? "\\" : "/";
  return directory.endsWith(separator) ? directory : directory + separator;
}
