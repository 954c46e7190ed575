import { createHash } from "node:crypto";
import type {
  FingerprintInput,
  FingerprintOutput,
  SessionFingerprint,
  SessionRefusal,
} from "../../contract/index.ts";
import { PAGE_TIME, type Reading, type Scan, STEP_ROWS } from "./scan.ts";
import { lastEvent } from "./tables.ts";

/*
 * A fingerprint is a hash over one line for each message: its row, place, size and last write, and the session's
 * last sequence number. Each of these is in a record's header or before the content, so no content is read.
 *
 * It changes with every native write, which moves `time_updated` and, for most, the sequence; and with every prune,
 * which moves neither but makes the row smaller. What it cannot see: a write that leaves the size and the time as
 * they were, that is, another program that rewrites content of the same length without touching `time_updated`, or
 * two native writes of the same length to one row within the same millisecond of which only the first was seen.
 */
const ROWS = `SELECT count(*) AS messages, max(seq) AS last,
  group_concat(rowid || ' ' || seq || ' ' || bytes || ' ' || time_updated, char(10)) AS lines FROM (
  SELECT rowid, seq, octet_length(data) AS bytes, time_updated FROM session_message
  WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${STEP_ROWS})`;
const STEP_SESSIONS = 64;

/** A fingerprint for each named session, whatever its location, as many as the time of one answer allows. */
export function* fingerprints(reading: Reading, input: FingerprintInput): Scan<FingerprintOutput> {
  const end = reading.now() + PAGE_TIME;
  const known: SessionFingerprint[] = [];
  const missing: { sessionID: string; reason: SessionRefusal }[] = [];
  for (const [taken, sessionID] of input.sessionIDs.entries()) {
    if (taken > 0 && reading.now() >= end) {
      const unread = input.sessionIDs.slice(taken);
      return { status: "fingerprints", fingerprints: known, refused: missing, unread };
    }
    if (taken % STEP_SESSIONS === STEP_SESSIONS - 1) yield;
    const fingerprint = yield* fingerprintOf(reading, sessionID);
    if (fingerprint === undefined) missing.push({ sessionID, reason: "missing" });
    else known.push({ sessionID, fingerprint });
  }
  return { status: "fingerprints", fingerprints: known, refused: missing, unread: [] };
}

function* fingerprintOf(reading: Reading, sessionID: string): Scan<string | undefined> {
  const session = lastEvent(reading, sessionID);
  if (!session) return undefined;
  const rows = reading.database.statement(ROWS);
  const hash = createHash("sha256").update(`${session.seq ?? "none"}\n`);
  let last = -1;
  for (;;) {
    const step = rows.get(sessionID, last);
    const count = Number(step?.messages);
    if (count > 0) {
      hash.update(`${step?.lines}\n`);
      last = Number(step?.last);
    }
    if (count < STEP_ROWS) return hash.digest("hex").slice(0, 32);
    yield;
  }
}
