import type { HostLocation } from "./host.ts";
import type { PruningDatabase, Schema } from "./pruning-database.ts";
import { SQLITE_ERROR, SqliteFailure, type SqliteRow } from "./sqlite.ts";
import { readStoredMessage, type StoredMessage } from "./stored-message.ts";
import { storedText } from "./stored-text.ts";

const SESSION_COLUMNS = [
  "id",
  "project_id",
  "workspace_id",
  "directory",
  "revert",
  "time_compacting",
  "time_suspended",
];

/** What a request is about, and who asks. */
export interface Subject {
  readonly sessionID: string;
  readonly messageID: string;
  readonly location: HostLocation;
  /** The row that only the daemon can have written: its key and value in table `kv`. */
  readonly nonce?: { readonly key: string; readonly value: string };
  /** More messages are pruned under the same nonce: whoever asked for it removes it. */
  readonly keepsNonce?: boolean;
  /** The message as it was read before the transaction. Used if the row still is, to the character, what it was. */
  readonly readAhead?: StoredMessage | undefined;
  readonly revision?: string;
  readonly indexes?: readonly number[];
  /** Instead of indexes: all technical parts, if they are so many. */
  readonly counts?: { readonly toolCount: number; readonly reasoningCount: number };
}

/**
 * What the storage says about a subject: each fact is read when a check first asks for it, and once only.
 * Valid for the transaction in which it was made.
 */
export class Facts {
  constructor(
    readonly database: PruningDatabase,
    readonly subject: Subject,
  ) {}

  readonly #known = new Map<string, unknown>();

  get attached(): readonly string[] {
    return this.#once("attached", () =>
      this.database
        .statement("PRAGMA database_list")
        .all()
        .map((row) => String(row.name)),
    );
  }

  get schema(): Schema {
    return this.#once("schema", () => this.database.schema());
  }

  get nonceIsVisible(): boolean {
    const { nonce } = this.subject;
    if (!nonce) return false;
    const row = this.database.statement("SELECT value FROM kv WHERE key = ?").get(nonce.key);
    return row?.value === nonce.value;
  }

  /** What the checks ask of the session's row. A column that this runtime does not have is absent. */
  get session(): SqliteRow | undefined {
    return this.#once("session", () => {
      const columns = this.schema.tables.get("session_v2")?.columns;
      const selected = SESSION_COLUMNS.filter((column) => columns?.has(column));
      return this.database
        .statement(`SELECT ${selected} FROM session_v2 WHERE id = ?`)
        .get(this.subject.sessionID);
    });
  }

  /** Whether a table of leased claims names the session. */
  isClaimedIn(table: "session_execution" | "session_recovery"): boolean {
    return (
      this.database
        .statement(`SELECT 1 FROM ${table} WHERE session_id = ? LIMIT 1`)
        .get(this.subject.sessionID) !== undefined
    );
  }

  get sequence(): SqliteRow | undefined {
    return this.#once("sequence", () =>
      this.database
        .statement("SELECT owner_id FROM event_sequence WHERE aggregate_id = ?")
        .get(this.subject.sessionID),
    );
  }

  get retainsEvents(): boolean {
    return (
      this.database
        .statement("SELECT 1 FROM event WHERE aggregate_id = ? LIMIT 1")
        .get(this.subject.sessionID) !== undefined
    );
  }

  /** The message's row without its content: `type` and `bytes` (of `data`). */
  get row(): SqliteRow | undefined {
    return this.#once("row", () =>
      this.database
        .statement(
          "SELECT type, octet_length(data) AS bytes FROM session_message WHERE id = ? AND session_id = ?",
        )
        .get(this.subject.messageID, this.subject.sessionID),
    );
  }

  /** The stored bytes of the message, if anybody asked for its row. */
  get bytesSeen(): number {
    return this.#known.has("row") ? Number(this.row?.bytes ?? 0) : 0;
  }

  /** Whether the row is stored as text that holds a JSON object with one `content` array. */
  get isReadable(): boolean {
    return this.#readMessage() !== undefined;
  }

  /** The message taken apart. Ask only where it is readable. */
  get message(): StoredMessage {
    const message = this.#readMessage();
    if (!message) throw new Error(`The stored message ${this.subject.messageID} cannot be read.`);
    return message;
  }

  #readMessage(): StoredMessage | undefined {
    return this.#once("message", () => {
      const { readAhead } = this.subject;
      if (readAhead && this.#isStored(readAhead.text)) return readAhead;
      const text = storedText(this.database, this.subject.messageID);
      return text === undefined ? undefined : readStoredMessage(text);
    });
  }

  #isStored(text: string): boolean {
    const row = this.database
      .statement("SELECT data = ? COLLATE BINARY AS same FROM session_message WHERE id = ?")
      .get(text, this.subject.messageID);
    return row?.same === 1;
  }

  /**
   * Whether SQLite, too, finds in the row the very characters and the very parts that were read from it. Not so
   * for invalid UTF-8, or for white space between the tokens: an edit would change more than was asked for.
   */
  get isFaithful(): boolean {
    return this.#once("faithful", () => {
      const { message } = this;
      try {
        const row = this.database
          .statement(FAITHFUL)
          .get(message.text, message.parts.length, this.subject.messageID);
        return row?.faithful === 1;
      } catch (error) {
        if (error instanceof SqliteFailure && error.resultCode === SQLITE_ERROR) return false;
        throw error;
      }
    });
  }

  #once<Fact>(name: string, read: () => Fact): Fact {
    if (!this.#known.has(name)) this.#known.set(name, read());
    return this.#known.get(name) as Fact;
  }
}

const FAITHFUL = `SELECT data = ? COLLATE BINARY AND json(data) = data COLLATE BINARY
  AND json_array_length(data, '$.content') = ? AS faithful FROM session_message WHERE id = ?`;
