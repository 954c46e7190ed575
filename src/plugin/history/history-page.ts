import * as z from "zod";
import { blocked, type HistoryInput, type HistoryOutput, MAX_HISTORY_ROWS } from "../../contract/index.ts";
import { type CursorScope, openCursor, sealCursor } from "../reading/cursor.ts";
import type { Reading, Scan } from "../reading/scan.ts";
import { factsOfSession, refusalOfSession } from "../reading/tables.ts";
import { HistoryRows } from "./history-rows.ts";
import { HistoryScanner } from "./history-scanner.ts";

/** How long a page may take, in milliseconds. The row that is under way is finished. */
const PAGE_TIME = 40;

const Position = z.strictObject({ session: z.string(), seq: z.number().int(), horizon: z.number().int() });

/** One page of a scan through the content of history, one message in memory at a time. */
export function* historyPage(reading: Reading, input: HistoryInput): Scan<HistoryOutput> {
  if (input.sessionID !== undefined && refusalOfSession(factsOfSession(reading, input.sessionID))) {
    return blocked("not_deletable");
  }
  const scope = scopeOf(reading, input);
  const rows = openRows(reading, input, scope);
  if (!rows) return blocked("conflict");

  const scanner = new HistoryScanner(reading, input);
  const end = reading.now() + PAGE_TIME;
  let room = MAX_HISTORY_ROWS;
  while (room > 0) {
    const batch = rows.next(room);
    if (batch.length === 0) return { ...scanner.page(), cursor: null };
    for (const row of batch) {
      scanner.scan(row);
      rows.take(row);
      room -= 1;
      if (reading.now() >= end) room = 0;
      if (room === 0) break;
      yield;
    }
  }
  return { ...scanner.page(), cursor: sealCursor(reading.key, scope, rows.position) };
}

function openRows(reading: Reading, input: HistoryInput, scope: CursorScope): HistoryRows | undefined {
  if (input.cursor === undefined) return HistoryRows.start(reading, input);
  const opened = openCursor(reading.key, scope, input.cursor);
  const position = "refused" in opened ? undefined : Position.safeParse(opened.position).data;
  return position && new HistoryRows(reading, input, position);
}

function scopeOf({ file, location }: Reading, input: HistoryInput): CursorScope {
  const { sessionID, query, includeTechnical, purpose } = input;
  const scope = sessionID ?? [location.directory, location.project.id, location.workspaceID ?? null];
  return { request: JSON.stringify(["history", scope, query, includeTechnical, purpose]), file };
}
