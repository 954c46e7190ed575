import {
  refused,
  type SessionRefusal,
  type SessionUsage,
  type UsageInput,
  type UsageOutput,
} from "../../contract/index.ts";
import { sealCursor } from "./cursor.ts";
import { PAGE_TIME, type Reading, type Scan, STEP_ROWS } from "./scan.ts";
import { SessionList, scopeOf } from "./session-list.ts";
import { lastEvent } from "./tables.ts";

const PAGE_SESSIONS = 500;

/** SQLite knows the size of a value from the record's header: no content is read, whatever it weighs. */
const ROWS = `SELECT count(*) AS messages, coalesce(sum(bytes), 0) AS bytes, max(seq) AS last FROM (
  SELECT seq, octet_length(data) AS bytes FROM session_message
  WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${STEP_ROWS})`;
/** What each session takes, for the named sessions or for all, whatever their location. */
export function* usagePage(reading: Reading, input: UsageInput): Scan<UsageOutput> {
  const list = SessionList.open(reading, input);
  if (typeof list === "string") return refused(list);
  const end = reading.now() + PAGE_TIME;
  const sessions: SessionUsage[] = [];
  const missing: { sessionID: string; reason: SessionRefusal }[] = [];
  let work = 0;
  for (;;) {
    const sessionID = list.next();
    if (sessionID === undefined) {
      return { status: "page", sessions, refused: missing, cursor: null };
    }
    const usage = yield* usageOf(reading, sessionID);
    if (usage) sessions.push(usage);
    else missing.push({ sessionID, reason: "missing" });
    work += (usage?.messages ?? 0) + 20;
    if (sessions.length + missing.length >= PAGE_SESSIONS || reading.now() >= end) {
      const cursor = sealCursor(reading.key, scopeOf(reading, input), list.position);
      return { status: "page", sessions, refused: missing, cursor };
    }
    if (work >= STEP_ROWS) {
      work = 0;
      yield;
    }
  }
}

function* usageOf(reading: Reading, sessionID: string): Scan<SessionUsage | undefined> {
  const session = lastEvent(reading, sessionID);
  if (!session) return undefined;
  const rows = reading.database.statement(ROWS);
  let messages = 0;
  let storedBytes = 0;
  let last = -1;
  for (;;) {
    const step = rows.get(sessionID, last);
    const count = Number(step?.messages);
    messages += count;
    storedBytes += Number(step?.bytes);
    if (count > 0) last = Number(step?.last);
    if (count < STEP_ROWS) break;
    yield;
  }
  const newestSequence = Math.max(Number(session.seq ?? 0), last, 0);
  return { sessionID, messages, storedBytes, newestSequence };
}
