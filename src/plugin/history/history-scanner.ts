import {
  type Candidate,
  type HistoryHit,
  type HistoryInput,
  type HistoryPage,
  type HistorySession,
  LiteralSearch,
  MAX_MESSAGE_BYTES,
  searchableTexts,
} from "../../contract/index.ts";
import { Facts } from "../facts.ts";
import { firstFailing, MESSAGE_CHECKS } from "../fence.ts";
import type { Reading } from "../reading/scan.ts";
import type { HistoryRow } from "./history-rows.ts";

/** How many tool and reasoning parts a stored message has, counted by SQLite; NULL where it is none. */
const COUNTS = `SELECT CASE WHEN typeof(data) = 'text' AND json_valid(data) AND json_type(data, '$.content') = 'array'
  THEN (SELECT json_array(
      count(*) FILTER (WHERE part.value ->> '$.type' = 'tool'),
      count(*) FILTER (WHERE part.value ->> '$.type' = 'reasoning'))
    FROM jsonb_each(jsonb(data), '$.content') AS part WHERE part.type = 'object') END AS counts
  FROM session_message WHERE id = ?`;
const DATA = "SELECT data FROM session_message WHERE id = ?";

type Counts = { scanned: number; tools: number; reasoning: number; skipped: number };

/** Looks into one message after the other and keeps what a page tells of them. */
export class HistoryScanner {
  readonly #reading: Reading;
  readonly #input: HistoryInput;
  readonly #search: LiteralSearch | undefined;
  readonly #sessions = new Map<string, HistorySession & Counts>();
  readonly #hits: HistoryHit[] = [];
  readonly #candidates: Candidate[] = [];

  constructor(reading: Reading, input: HistoryInput) {
    this.#reading = reading;
    this.#input = input;
    if (input.purpose === "search" && input.query !== "") this.#search = new LiteralSearch(input.query);
  }

  scan(row: HistoryRow): void {
    const session = this.#sessionOf(row);
    session.scanned += 1;
    if (row.bytes > MAX_MESSAGE_BYTES) {
      session.skipped += 1;
      return;
    }
    const counts = row.type === "assistant" ? this.#count(row) : { tools: 0, reasoning: 0 };
    if (!counts) {
      session.skipped += 1;
      return;
    }
    session.tools += counts.tools;
    session.reasoning += counts.reasoning;
    if (this.#search && !this.#find(row, this.#search)) session.skipped += 1;
    if (this.#input.purpose === "prune" && counts.tools + counts.reasoning > 0) {
      const candidate = this.#candidate(row);
      if (candidate) this.#candidates.push(candidate);
      else session.skipped += 1;
    }
  }

  page(): Omit<HistoryPage, "cursor"> {
    const sessions = [...this.#sessions.values()];
    const sum = (name: keyof Counts) => sessions.reduce((total, session) => total + session[name], 0);
    return {
      status: "page",
      scanned: sum("scanned"),
      tools: sum("tools"),
      reasoning: sum("reasoning"),
      skipped: sum("skipped"),
      hits: this.#hits,
      candidates: this.#candidates,
      sessions,
    };
  }

  #sessionOf({ sessionID, directory, workspaceID }: HistoryRow): HistorySession & Counts {
    const known = this.#sessions.get(sessionID);
    if (known) return known;
    const session = {
      sessionID,
      directory,
      ...(workspaceID === undefined ? {} : { workspaceID }),
      scanned: 0,
      tools: 0,
      reasoning: 0,
      skipped: 0,
    };
    this.#sessions.set(sessionID, session);
    return session;
  }

  #count(row: HistoryRow): { tools: number; reasoning: number } | undefined {
    const counts = this.#reading.database.statement(COUNTS).get(row.messageID)?.counts;
    if (typeof counts !== "string") return undefined;
    const [tools, reasoning] = JSON.parse(counts) as [number, number];
    return { tools, reasoning };
  }

  /** Adds a hit where there is one. Answers false when the message could not be read. */
  #find(row: HistoryRow, search: LiteralSearch): boolean {
    const data = this.#reading.database.statement(DATA).get(row.messageID)?.data;
    if (data === undefined) return true;
    if (typeof data !== "string") return false;
    if (!search.mayBeIn(data)) return true;
    const message = parsed(data);
    if (message === undefined) return false;
    for (const { partIndex, kind, text } of searchableTexts(
      row.type,
      message,
      this.#input.includeTechnical,
    )) {
      const excerpt = search.excerpt(text);
      if (excerpt === undefined) continue;
      const { sessionID, messageID, type: role } = row;
      this.#hits.push({ sessionID, messageID, role, partIndex, kind, excerpt });
      return true;
    }
    return true;
  }

  /** What `pruneBatch` takes for this message; undefined where the fence would not let it pass. */
  #candidate(row: HistoryRow): Candidate | undefined {
    const { database, location } = this.#reading;
    const facts = new Facts(database, { sessionID: row.sessionID, messageID: row.messageID, location });
    if (firstFailing(MESSAGE_CHECKS, facts) || !facts.message) return undefined;
    const { parts, revision } = facts.message;
    const howMany = (type: string) => parts.filter((part) => part.type === type).length;
    return {
      messageID: row.messageID,
      revision,
      toolCount: howMany("tool"),
      reasoningCount: howMany("reasoning"),
    };
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
