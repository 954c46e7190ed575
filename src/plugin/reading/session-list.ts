import * as z from "zod";
import type { UsageInput } from "../../contract/index.ts";
import { type CursorRefusal, type CursorScope, openCursor } from "./cursor.ts";
import type { Reading } from "./scan.ts";

/** How many ids of sessions are fetched at once when the request names none. */
const BATCH = 256;

/** The sessions that a request of `usage` is about, from where its cursor stands. */
export class SessionList {
  readonly #named: readonly string[] | undefined;
  readonly #reading: Reading;
  #position: Position;
  #batch: string[] = [];

  private constructor(reading: Reading, input: UsageInput, position: Position) {
    this.#reading = reading;
    this.#named = input.sessionIDs;
    this.#position = position;
  }

  static open(reading: Reading, input: UsageInput): SessionList | CursorRefusal {
    if (input.cursor === undefined) return new SessionList(reading, input, { after: "", taken: 0 });
    const opened = openCursor(reading.key, scopeOf(reading, input), input.cursor);
    if ("refused" in opened) return opened.refused;
    const position = Position.safeParse(opened.position);
    return position.success ? new SessionList(reading, input, position.data) : "cursor_forged";
  }

  /** The next session, which counts as taken; undefined at the end. */
  next(): string | undefined {
    const sessionID = this.#named ? this.#named[this.#position.taken] : this.#nextOfAll();
    if (sessionID !== undefined) this.#position = { after: sessionID, taken: this.#position.taken + 1 };
    return sessionID;
  }

  get position(): Position {
    return this.#position;
  }

  #nextOfAll(): string | undefined {
    if (this.#batch.length === 0) {
      this.#batch = this.#reading.database
        .statement("SELECT id FROM session_v2 WHERE id > ? ORDER BY id LIMIT ?")
        .all(this.#position.after, BATCH)
        .map((row) => String(row.id))
        .reverse();
    }
    return this.#batch.pop();
  }
}

const Position = z.strictObject({ after: z.string(), taken: z.number().int().min(0) });
type Position = z.infer<typeof Position>;

export function scopeOf(reading: Reading, input: UsageInput): CursorScope {
  return { request: `usage ${JSON.stringify(input.sessionIDs ?? "all")}`, file: reading.file };
}
