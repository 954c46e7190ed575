import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_MESSAGE_BYTES, MAX_PARTS } from "../../src/contract/index.ts";
import { BEFORE_PREVIEW } from "../../src/plugin/preview.ts";
import { BEFORE_EDIT, BEFORE_REPLAY } from "../../src/plugin/transaction.ts";
import { overBetterSqlite } from "./support/better-sqlite.ts";
import { FakeDaemon, type FakeDaemonOptions, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { LEASE_SCHEMA, MEDIA_SCHEMA } from "./support/native-schema.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

/** One way in which a check of the fence fails, while all the others hold. */
interface Break {
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

const GOOD = stored([TEXT, TOOL, REASONING]);
const sql = (text: string) => (daemon: FakeDaemon) => {
  daemon.database.exec(text);
};
const HASH = "a".repeat(64);

const BREAKS: readonly Break[] = [
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

let daemon: FakeDaemon;
beforeEach(() => {
  daemon = new FakeDaemon();
});
afterEach(() => daemon.remove());

async function arrange(broken: Break): Promise<void> {
  daemon.insertSession();
  daemon.insertMessage(broken.data ?? GOOD);
  broken.arrange?.(daemon);
  await daemon.load(broken.options?.(daemon) ?? {});
}

function requestFor(broken: Break) {
  return {
    sessionID: SESSION,
    messageID: MESSAGE,
    revision: revisionOf(broken.data ?? GOOD),
    indexes: [1],
    ...broken.request,
  };
}

describe("the fence", () => {
  for (const broken of BREAKS) {
    it(`${broken.check}: a prune is refused and changes nothing when ${broken.when}`, async () => {
      await arrange(broken);
      const before = daemon.everything();

      const answer = await daemon.call("prune", requestFor(broken));

      expect(answer).toEqual({ status: "blocked", reason: broken.reason });
      expect(daemon.everything()).toBe(before);
      expect(daemon.emitted).toEqual([]);
    });

    if (!broken.pruneOnly) {
      it(`${broken.check}: a preview ${broken.live ? "says so" : "is refused"} when ${broken.when}`, async () => {
        await arrange(broken);
        const before = daemon.everything();

        const answer = await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE });

        expect(answer).toMatchObject(
          broken.live
            ? { status: "preview", liveMutation: true }
            : { status: "blocked", reason: broken.reason },
        );
        expect(daemon.everything()).toBe(before);
      });
    }
  }

  it("is broken here check by check", () => {
    const broken = new Set(BREAKS.map((one) => one.check));
    const checks = [...BEFORE_REPLAY, ...BEFORE_EDIT].map((check) => check.name);
    expect(checks.filter((name) => !broken.has(name))).toEqual([]);
    expect(new Set([...BEFORE_REPLAY, ...BEFORE_EDIT, ...BEFORE_PREVIEW]).size).toBe(checks.length + 1);
  });

  it("lets an ordinary message pass, of the largest size too", async () => {
    daemon.insertSession();
    daemon.insertMessage(paddedTo(MAX_MESSAGE_BYTES));
    await daemon.load();

    const preview = await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE });
    expect(preview).toEqual({
      status: "preview",
      revision: revisionOfStored(daemon.data()),
      liveMutation: false,
      parts: [
        { index: 1, type: "tool", bytes: Buffer.byteLength(TOOL) },
        { index: 2, type: "reasoning", bytes: Buffer.byteLength(REASONING) },
      ],
    });
    const pruned = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: preview.revision,
      indexes: [2],
    });
    expect(pruned).toMatchObject({ status: "pruned", removedCount: 1 });
  });

  it("lets a session pass that only others' claims and events surround", async () => {
    daemon.database.exec(LEASE_SCHEMA);
    daemon.insertSession("ses_other", { time_suspended: 1, time_compacting: 1, revert: "{}" });
    daemon.database.exec(`
      INSERT INTO session_execution VALUES ('ses_other', 'running', 'o', 1);
      INSERT INTO session_recovery VALUES ('ses_other', 0);
      INSERT INTO event VALUES ('evt_1', 'ses_other', 1, 0, 'session.text.ended', '{}')`);
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const answer = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: revisionOfStored(GOOD),
      indexes: [1],
    });
    expect(answer).toMatchObject({ status: "pruned" });
    expect(daemon.data()).toBe(stored([TEXT, REASONING]));
  });

  it("notices what appears after it has pruned once", async () => {
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const request = { sessionID: SESSION, messageID: MESSAGE };
    const first = { ...request, revision: revisionOfStored(GOOD), indexes: [1] };
    expect(await daemon.call("prune", first)).toMatchObject({ status: "pruned" });
    const second = { ...request, revision: revisionOfStored(daemon.data()), indexes: [1] };
    daemon.database.exec("CREATE TRIGGER on_kv AFTER DELETE ON kv BEGIN SELECT 1; END");
    expect(await daemon.call("prune", second)).toEqual({ status: "blocked", reason: "unsupported_storage" });
    daemon.database.exec("DROP TRIGGER on_kv");
    daemon.database.exec(
      `${LEASE_SCHEMA} INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 1)`,
    );
    expect(await daemon.call("prune", second)).toEqual({ status: "blocked", reason: "maintenance_required" });
    daemon.database.exec("DELETE FROM session_execution");
    expect(await daemon.call("prune", second)).toMatchObject({ status: "pruned" });
  });

  it("takes leased claims for durable ones where a runtime has these alone", async () => {
    daemon.database.exec(
      `${LEASE_SCHEMA} DROP INDEX session_v2_time_suspended_idx; ALTER TABLE session_v2 DROP COLUMN time_suspended`,
    );
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const request = {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: revisionOfStored(GOOD),
      indexes: [1],
    };
    daemon.database.exec(`INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 1)`);
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "maintenance_required",
    });
    daemon.database.exec("DELETE FROM session_execution");
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });
});

/** A good message with padding outside its content, of exactly so many bytes. */
function paddedTo(bytes: number): string {
  const empty = stored([TEXT, TOOL, REASONING], `"pad":""`);
  return stored([TEXT, TOOL, REASONING], `"pad":"${"x".repeat(bytes - empty.length)}"`);
}

function revisionOf(data: string | Buffer): string {
  try {
    return revisionOfStored(data.toString());
  } catch {
    return "0".repeat(64);
  }
}
