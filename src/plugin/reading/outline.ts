import * as z from "zod";
import {
  type BlockedReason,
  type MessageTuple,
  type OutlineInput,
  type OutlineOutput,
  outlineTuple,
  type PartFacts,
  type PartMembers,
  refused,
} from "../../contract/index.ts";
import type { Facts } from "../facts.ts";
import { EVENT_CHECKS, firstFailing, REST_CHECKS, STORAGE_CHECKS } from "../fence.ts";
import type { SqliteRow } from "../sqlite.ts";
import { type CursorScope, openCursor, sealCursor } from "./cursor.ts";
import { NEWEST_ASSISTANT, OUTLINE_ROWS, OUTLINE_SIZES } from "./outline-query.ts";
import { PAGE_TIME, type Reading, type Scan, STEP_BYTES } from "./scan.ts";
import { factsOfSession, refusalOfSession } from "./tables.ts";

/** A page holds no more messages than this, */
const PAGE_MESSAGES = 2_000;
/** takes apart no more stored JSON than this, */
const PAGE_BYTES = 64 * 1024 * 1024;
/** and its answer has about this many characters, since the daemon's event loop has to carry it. */
const PAGE_CHARACTERS = 224 * 1024;
/** How many parts of one message a page holds; the rest goes on in the next page. */
const PAGE_PARTS = 2_000;
const STEP_MESSAGES = 256;

/** Where the next page starts, and the last `seq` that the first page saw: what comes later is not scanned. */
const Position = z.strictObject({
  seq: z.number().int(),
  part: z.number().int().min(0),
  last: z.number().int(),
});
type Position = z.infer<typeof Position>;

/** The session's assistant messages without their content, page by page. */
export function* outlinePage(reading: Reading, input: OutlineInput): Scan<OutlineOutput> {
  const facts = factsOfSession(reading, input.sessionID);
  const refusal = refusalOfSession(facts);
  if (refusal) return refused(refusal);
  const scope = { request: `outline ${input.sessionID}`, file: reading.file };
  const start = startOf(reading, input, scope);
  if (typeof start === "string") return refused(start);

  const page = new Page();
  const next = yield* fill(page, reading, input.sessionID, start);
  return {
    status: "page",
    blocked: whyBlocked(facts),
    messages: page.messages,
    cursor: next ? sealCursor(reading.key, scope, next) : null,
  };
}

function startOf(reading: Reading, { sessionID, cursor }: OutlineInput, scope: CursorScope) {
  if (cursor === undefined) {
    const newest = reading.database.statement(NEWEST_ASSISTANT).get(sessionID)?.seq;
    return { seq: 0, part: 0, last: typeof newest === "number" ? newest : -1 };
  }
  const opened = openCursor(reading.key, scope, cursor);
  if ("refused" in opened) return opened.refused;
  const position = Position.safeParse(opened.position);
  return position.success ? position.data : "cursor_forged";
}

function whyBlocked(facts: Facts): BlockedReason | null {
  return firstFailing([...STORAGE_CHECKS, ...REST_CHECKS, ...EVENT_CHECKS], facts)?.reason ?? null;
}

/** Fills the page and answers where the next one starts; undefined at the end of the session. */
function* fill(page: Page, reading: Reading, sessionID: string, start: Position): Scan<Position | undefined> {
  const sizes = reading.database.statement(OUTLINE_SIZES);
  const rows = reading.database.statement(OUTLINE_ROWS);
  const end = reading.now() + PAGE_TIME;
  let { seq, part } = start;
  for (;;) {
    const limit = part > 0 ? 1 : Math.min(STEP_MESSAGES, page.room());
    const step = stepOf(sizes.all(sessionID, seq, start.last, limit));
    if (!step) return undefined;
    // The message that was to go on is gone; the one behind it starts at its first part.
    if (step.first !== seq) part = 0;
    const range = [part, part + PAGE_PARTS];
    for (const row of rows.all(...range, ...range, sessionID, seq, step.last)) {
      const message = readRow(String(row.row));
      if (page.isFull()) return { seq: message.seq, part, last: start.last };
      page.add(message);
      if (message.partCount > part + PAGE_PARTS) {
        return { seq: message.seq, part: part + PAGE_PARTS, last: start.last };
      }
    }
    seq = step.last + 1;
    part = 0;
    page.bytes += step.bytes;
    if (page.isFull() || reading.now() >= end) return { seq, part, last: start.last };
    yield;
  }
}

interface Step {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
}

/** As many of the rows as one step may take apart, at least one. */
function stepOf(sizes: readonly SqliteRow[]): Step | undefined {
  let step: Step | undefined;
  for (const row of sizes) {
    const seq = Number(row.seq);
    const bytes = (step?.bytes ?? 0) + Number(row.bytes);
    if (step && bytes > STEP_BYTES) break;
    step = { first: step?.first ?? seq, last: seq, bytes };
  }
  return step;
}

class Page {
  readonly messages: MessageTuple[] = [];
  bytes = 0;
  #characters = 0;

  add(message: OutlinedRow): void {
    this.messages.push(message.tuple);
    this.#characters += message.characters;
  }

  isFull(): boolean {
    return this.room() <= 0 || this.bytes >= PAGE_BYTES;
  }

  /** About how many more messages it holds, if they are like those that it has. */
  room(): number {
    const left = PAGE_CHARACTERS - this.#characters;
    const each = this.messages.length > 0 ? this.#characters / this.messages.length : 1;
    return Math.min(PAGE_MESSAGES - this.messages.length, Math.ceil(left / each));
  }
}

interface OutlinedRow {
  readonly seq: number;
  readonly tuple: MessageTuple;
  readonly partCount: number;
  /** About how long the answer becomes by it. */
  readonly characters: number;
}

type Head = readonly [id: string, seq: number, created: number, storedBytes: number];
type Row =
  | readonly [head: Head, problem: "too_large" | "malformed"]
  | readonly [
      head: Head,
      times: readonly [created: unknown, completed: unknown],
      partCount: number,
      sizes: readonly number[],
      parts: readonly (readonly [index: number, members?: PartMembers, label?: unknown])[],
    ];

function readRow(text: string): OutlinedRow {
  const row = JSON.parse(text) as Row;
  const [messageID, seq, rowCreated, storedBytes] = row[0];
  const characters = text.length;
  if (row.length === 2) {
    const tuple: MessageTuple = [messageID, rowCreated, null, storedBytes, row[1], 0, 0, []];
    return { seq, tuple, partCount: 0, characters };
  }
  const [, [created, completed], partCount, sizes, parts] = row;
  const facts = {
    messageID,
    created: Number.isFinite(created) ? Number(created) : rowCreated,
    completed,
    storedBytes,
    partCount,
  };
  const sized = parts.map((part, at): PartFacts => [part[0], sizes[at] ?? 0, part[1], part[2]]);
  return { seq, tuple: outlineTuple(facts, sized), partCount, characters };
}
