import Database from "better-sqlite3";
import { MAX_MESSAGE_BYTES, MAX_PARTS } from "../../../src/contract/index.ts";
import { overBetterSqlite } from "./better-sqlite.ts";
import { type FakeDaemon, type FakeDaemonOptions, SESSION } from "./fake-daemon.ts";
import { LEASE_SCHEMA, MEDIA_SCHEMA } from "./native-schema.ts";
import { REASONING, stored, TEXT, TOOL } from "./stored.ts";

/** One way in which a check of the fence fails, while all the others hold. */
export interface Break {
  readonly check: string;
  readonly when: string;
  readonly reason: string;
  readonly arrange?: (daemon: FakeDaemon) => void;
  readonly data?: string | Buffer;
  readonly options?: (daemon: FakeDaemon) => FakeDaemonOptions;
  readonly request?: { readonly revision?: string; readonly indexes?: readonly number[] };
  /** A preview answers all the same, and says `liveMutation`. */
  readonly live?: boolean;
  /** A preview does not look at this. */
  readonly pruneOnly?: boolean;
}

export const GOOD = stored([TEXT, TOOL, REASONING]);
const sql = (text: string) => (daemon: FakeDaemon) => {
  daemon.database.exec(text);
};
const HASH = "a".repeat(64);

export const BREAKS: readonly Break[] = [
  {
    check: "only the main database is attached",
    when: "another database is attached",
    reason: "unsupported_storage",
    options: (daemon) => ({
      open: (path) => {
        const database = new Database(path);
        database.exec(`ATTACH '${daemon.folder}/other.db' AS other`);
        return overBetterSqlite(database);
      },
    }),
  },
  {
    check: "no trigger exists",
    when: "a trigger exists on any table",
    reason: "unsupported_storage",
    arrange: sql("CREATE TRIGGER on_kv AFTER DELETE ON kv BEGIN SELECT 1; END"),
  },
  {
    check: "the expected tables and columns exist",
    when: "a native table is a view",
    reason: "unsupported_storage",
    arrange: sql(
      "ALTER TABLE session_v2 RENAME TO sessions; CREATE VIEW session_v2 AS SELECT * FROM sessions",
    ),
  },
  ...["session_v2", "session_message", "event", "event_sequence"].map((table) => ({
    check: "the expected tables and columns exist",
    when: `table ${table} is missing`,
    reason: "unsupported_storage",
    arrange: sql(`PRAGMA foreign_keys = OFF; ALTER TABLE ${table} RENAME TO ${table}_of_old`),
  })),
  {
    check: "the expected tables and columns exist",
    when: "the configured database has no table kv",
    reason: "unsupported_storage",
    options: (daemon) => {
      const copy = `${daemon.folder}/copy.db`;
      daemon.database.exec(`VACUUM INTO '${copy}'`);
      const other = new Database(copy);
      other.exec("DROP TABLE kv");
      other.close();
      return { databasePath: copy };
    },
  },
  {
    check: "the expected tables and columns exist",
    when: "a native column is missing",
    reason: "unsupported_storage",
    arrange: sql("ALTER TABLE session_v2 RENAME COLUMN revert TO reverted"),
  },
  {
    check: "the claims are of a kind that is known",
    when: "leased claims have other columns",
    reason: "unsupported_storage",
    arrange: sql("CREATE TABLE session_execution (session_id TEXT PRIMARY KEY, state TEXT)"),
  },
  {
    check: "the claims are of a kind that is known",
    when: "there are neither durable nor leased claims",
    reason: "unsupported_storage",
    arrange: sql(
      "DROP INDEX session_v2_time_suspended_idx; ALTER TABLE session_v2 DROP COLUMN time_suspended",
    ),
  },
  {
    check: "the identity nonce is visible",
    when: "the configured database is a copy of the daemon's",
    reason: "unsupported_storage",
    options: (daemon) => {
      const copy = `${daemon.folder}/copy.db`;
      daemon.database.exec(`VACUUM INTO '${copy}'`);
      return { databasePath: copy };
    },
  },
  ...[
    { directory: "/work/elsewhere", project: { id: "project_1" } },
    { directory: "/work/project", project: { id: "project_2" } },
    { directory: "/work/project", project: { id: "project_1" }, workspaceID: "wrk_1" },
  ].map((location) => ({
    check: "the session belongs to this location",
    when: `the plugin runs at ${JSON.stringify(location)}`,
    reason: "not_deletable",
    options: () => ({ location }),
  })),
  {
    check: "the session belongs to this location",
    when: "there is no such session",
    reason: "not_deletable",
    arrange: sql("PRAGMA foreign_keys = OFF; DELETE FROM session_v2"),
  },
  {
    check: "no durable claim is set",
    when: "time_suspended is set",
    reason: "maintenance_required",
    arrange: sql("UPDATE session_v2 SET time_suspended = 1"),
    live: true,
  },
  {
    check: "no leased claim exists",
    when: "a leased claim is live",
    reason: "maintenance_required",
    arrange: sql(`${LEASE_SCHEMA} INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 9e15)`),
    live: true,
  },
  {
    check: "no leased claim exists",
    when: "a leased claim has expired",
    reason: "maintenance_required",
    arrange: sql(`${LEASE_SCHEMA} INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 1)`),
    live: true,
  },
  {
    check: "no recovery is due",
    when: "a recovery is recorded",
    reason: "maintenance_required",
    arrange: sql(`${LEASE_SCHEMA} INSERT INTO session_recovery VALUES ('${SESSION}', 0)`),
    live: true,
  },
  {
    check: "no compaction runs",
    when: "time_compacting is set",
    reason: "maintenance_required",
    arrange: sql("UPDATE session_v2 SET time_compacting = 1"),
    live: true,
  },
  {
    check: "no revert is staged",
    when: "a revert is staged",
    reason: "maintenance_required",
    arrange: sql(`UPDATE session_v2 SET revert = '{"messageID":"msg_1"}'`),
    live: true,
  },
  {
    check: "the session's events are counted here",
    when: "the session has no event sequence",
    reason: "unsupported_storage",
    arrange: sql("DELETE FROM event_sequence"),
  },
  {
    check: "nobody else owns the session's events",
    when: "the event sequence has an owner",
    reason: "unsupported_storage",
    arrange: sql("UPDATE event_sequence SET owner_id = 'another'"),
  },
  {
    check: "no event is retained",
    when: "an event row is retained",
    reason: "unsupported_storage",
    arrange: sql(`INSERT INTO event VALUES ('evt_1', '${SESSION}', 1, 0, 'session.text.ended', '{}')`),
  },
  {
    check: "the row is an assistant message of the session",
    when: "the message is a user's",
    reason: "not_deletable",
    arrange: sql("UPDATE session_message SET type = 'user'"),
  },
  {
    check: "the row is an assistant message of the session",
    when: "there is no such message",
    reason: "not_deletable",
    arrange: sql("DELETE FROM session_message"),
  },
  {
    check: "the row is an assistant message of the session",
    when: "the message is another session's",
    reason: "not_deletable",
    arrange: (daemon) => {
      daemon.insertSession("ses_2");
      daemon.database.exec("UPDATE session_message SET session_id = 'ses_2'");
    },
  },
  {
    check: "the row is not too large",
    when: "the stored message is one byte over the limit",
    reason: "not_deletable",
    data: paddedTo(MAX_MESSAGE_BYTES + 1),
  },
  ...[
    "no JSON at all",
    "[]",
    `{"time":{"completed":2},"content":{}}`,
    `{"time":{"completed":2}}`,
    `{"time":{"completed":2},content:[]}`,
    stored([TEXT, TOOL], `"content":[${TEXT},${REASONING}]`),
    stored([TEXT, TOOL], `"c\\u006fntent":[${TEXT},${REASONING}]`),
  ].map((data) => ({
    check: "the row is a JSON object with one content array",
    when: `the row is ${data}`,
    reason: "not_deletable",
    data,
  })),
  ...[
    `{"created":1}`,
    `{"completed":0}`,
    `{"completed":-1}`,
    `{"completed":"2"}`,
    `{"completed":null}`,
    "7",
  ].map((time) => ({
    check: "the message is completed",
    when: `its time is ${time}`,
    reason: "not_deletable",
    data: `{"time":${time},"content":[${TEXT},${TOOL}]}`,
  })),
  {
    check: "the message has not too many parts",
    when: `it has ${MAX_PARTS + 1} parts`,
    reason: "not_deletable",
    data: stored([TEXT, TOOL, ...Array<string>(MAX_PARTS - 1).fill(TEXT)]),
  },
  ...[`{"type":"file"}`, `{"text":"no type"}`, "null", `"tool"`].map((part) => ({
    check: "every part is of a known kind",
    when: `a part is ${part}`,
    reason: "not_deletable",
    data: stored([TEXT, TOOL, part]),
  })),
  ...["streaming", "running", "unheard-of"].map((status) => ({
    check: "every tool has settled",
    when: `another tool is ${status}`,
    reason: "not_deletable",
    data: stored([TEXT, TOOL, TOOL.replace("completed", status)]),
  })),
  {
    check: "every tool has settled",
    when: "a tool has no state",
    reason: "not_deletable",
    data: stored([TEXT, TOOL, `{"type":"tool","id":"x","name":"y"}`]),
  },
  {
    check: "the content is what the caller saw",
    when: "the revision is another",
    reason: "conflict",
    request: { revision: "0".repeat(64) },
    pruneOnly: true,
  },
  ...[[0], [1, 0], [3], [100_000]].map((indexes) => ({
    check: "every index names a technical part",
    when: `the indexes are ${indexes}`,
    reason: "not_deletable",
    request: { indexes },
    pruneOnly: true,
  })),
  {
    check: "media references are of a kind that is known",
    when: "a part names media and there are no blob tables",
    reason: "unsupported_storage",
    data: stored([TEXT, TOOL.replace("output", `media:${HASH}`)]),
  },
  {
    check: "media references are of a kind that is known",
    when: "a kept part names media behind escapes",
    reason: "unsupported_storage",
    data: stored([TEXT.replace("kept", `\\u006dedia:${HASH}`), TOOL]),
  },
  {
    check: "media references are of a kind that is known",
    when: "the blob tables have a column more than is known",
    reason: "unsupported_storage",
    arrange: sql(`${MEDIA_SCHEMA} ALTER TABLE blob_ref ADD COLUMN part_id TEXT`),
    data: stored([TEXT, TOOL.replace("output", `media:${HASH}`)]),
  },
  {
    check: "what stays keeps every byte",
    when: "white space lies between the tokens",
    reason: "not_deletable",
    data: GOOD.replace(`"finish":`, `"finish": `),
  },
  {
    check: "what stays keeps every byte",
    when: "a kept text is no valid UTF-8",
    reason: "not_deletable",
    data: Buffer.concat([
      Buffer.from(GOOD.slice(0, GOOD.indexOf("kept"))),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from(GOOD.slice(GOOD.indexOf("kept"))),
    ]),
  },
  {
    check: "what stays keeps every byte",
    when: "a part that goes is no valid UTF-8",
    reason: "not_deletable",
    data: Buffer.concat([
      Buffer.from(GOOD.slice(0, GOOD.indexOf("output"))),
      Buffer.from([0xff]),
      Buffer.from(GOOD.slice(GOOD.indexOf("output"))),
    ]),
  },
  {
    check: "what stays keeps every byte",
    when: "it is nested deeper than SQLite reads JSON",
    reason: "not_deletable",
    data: stored([TEXT, TOOL], `"deep":${"[".repeat(1200)}${"]".repeat(1200)}`),
  },
];

/** A good message with padding outside its content, of exactly so many bytes. */
export function paddedTo(bytes: number): string {
  const empty = stored([TEXT, TOOL, REASONING], `"pad":""`);
  return stored([TEXT, TOOL, REASONING], `"pad":"${"x".repeat(bytes - empty.length)}"`);
}
