import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRUNING_RPC, PUBLISHED_PLUGIN_ID, revisionOf } from "../../src/contract/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";

let pruning: PruningDaemon;
let sessions = 0;

beforeAll(async () => {
  pruning = await startPruningDaemon();
});
afterAll(() => pruning?.remove());

/** A fresh session with one prunable message. Answers the request that prunes its tool. */
async function seed(directory?: string) {
  sessions += 1;
  const sessionID = `ses_storage${sessions}`;
  const messageID = `msg_storage${sessions}`;
  const content = [textPart("kept"), toolPart("call_1", "output"), reasoningPart("thought")];
  await pruning.importSession(
    sessionID,
    [userMessage(`msg_storage_user${sessions}`, "hello"), assistantMessage(messageID, content)],
    directory,
  );
  const message = await pruning.message(sessionID, messageID);
  return { sessionID, messageID, revision: revisionOf(message.content), indexes: [1] };
}

type Request = Awaited<ReturnType<typeof seed>>;

function inDatabase<Result>(work: (database: Database.Database) => Result): Result {
  const database = new Database(pruning.daemon.database, { timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const stored = ({ messageID }: Request) =>
  inDatabase((database) =>
    database.prepare("SELECT hex(data) FROM session_message WHERE id = ?").pluck().get(messageID),
  );
const nonces = () =>
  inDatabase((database) => database.prepare("SELECT key FROM kv WHERE key LIKE '%identity/%'").all());
const blocked = (reason: string) => ({ status: 200, body: { output: { status: "blocked", reason } } });

describe("what the daemon's own storage says", () => {
  const states: readonly (readonly [
    string,
    string,
    (request: Request) => string,
    (request: Request) => string,
  ])[] = [
    [
      "a trigger",
      "unsupported_storage",
      () => "CREATE TRIGGER on_kv AFTER UPDATE ON kv BEGIN SELECT 1; END",
      () => "DROP TRIGGER on_kv",
    ],
    [
      "a retained event",
      "unsupported_storage",
      ({ sessionID }) => `INSERT INTO event VALUES ('evt_x', '${sessionID}', 99, 0, 'x', '{}')`,
      () => "DELETE FROM event WHERE id = 'evt_x'",
    ],
    [
      "events that another server owns",
      "unsupported_storage",
      ({ sessionID }) => `UPDATE event_sequence SET owner_id = 'x' WHERE aggregate_id = '${sessionID}'`,
      ({ sessionID }) => `UPDATE event_sequence SET owner_id = NULL WHERE aggregate_id = '${sessionID}'`,
    ],
    [
      "leased claims of an unknown kind",
      "unsupported_storage",
      () => "CREATE TABLE session_execution (session_id TEXT, whatever TEXT)",
      () => "DROP TABLE session_execution",
    ],
    [
      "an expired leased claim",
      "maintenance_required",
      ({ sessionID }) =>
        `CREATE TABLE session_execution (session_id TEXT, phase TEXT, owner_id TEXT, expires_at INTEGER);
         INSERT INTO session_execution VALUES ('${sessionID}', 'running', 'x', 1)`,
      () => "DROP TABLE session_execution",
    ],
    [
      "a durable claim",
      "maintenance_required",
      ({ sessionID }) => `UPDATE session_v2 SET time_suspended = 1 WHERE id = '${sessionID}'`,
      ({ sessionID }) => `UPDATE session_v2 SET time_suspended = NULL WHERE id = '${sessionID}'`,
    ],
    [
      "a compaction",
      "maintenance_required",
      ({ sessionID }) => `UPDATE session_v2 SET time_compacting = 1 WHERE id = '${sessionID}'`,
      ({ sessionID }) => `UPDATE session_v2 SET time_compacting = NULL WHERE id = '${sessionID}'`,
    ],
    [
      "a receipt table that is not ours",
      "unsupported_storage",
      () =>
        `CREATE TABLE IF NOT EXISTS opencode_prune_receipt (request TEXT);
         ALTER TABLE opencode_prune_receipt RENAME TO receipts_aside;
         CREATE TABLE opencode_prune_receipt (note TEXT)`,
      () => "DROP TABLE opencode_prune_receipt; DROP TABLE receipts_aside",
    ],
  ];
  for (const [what, reason, arrange, restore] of states) {
    it(`refuses for ${what}, changes nothing, and prunes when that is gone`, async () => {
      const request = await seed();
      const before = stored(request);
      inDatabase((database) => database.exec(arrange(request)));
      expect(await pruning.rpc("prune", request)).toEqual(blocked(reason));
      expect(stored(request)).toBe(before);
      inDatabase((database) => database.exec(restore(request)));
      expect((await pruning.rpc("prune", request)).body.output).toMatchObject({ status: "pruned" });
      expect(nonces()).toEqual([]);
    });
  }

  it("refuses for a staged revert", async () => {
    const request = await seed();
    await pruning.request("POST", `/api/session/${request.sessionID}/revert/stage`, {
      messageID: request.messageID.replace("storage", "storage_user"),
    });
    expect(await pruning.rpc("prune", request)).toEqual(blocked("maintenance_required"));
    await pruning.request("DELETE", `/api/session/${request.sessionID}/revert`);
    expect((await pruning.rpc("prune", request)).body.output).toMatchObject({ status: "pruned" });
  });

  it("refuses a session of another location", async () => {
    const elsewhere = join(pruning.daemon.home, "elsewhere");
    await mkdir(elsewhere, { recursive: true });
    const request = await seed(elsewhere);
    expect(await pruning.rpc("prune", request)).toEqual(blocked("not_deletable"));
    expect((await pruning.rpc("prune", request, { directory: elsewhere })).body.output).toMatchObject({
      status: "pruned",
    });
  });

  it("refuses to edit a row whose JSON it would have to rewrite", async () => {
    const request = await seed();
    inDatabase((database) =>
      database
        .prepare(
          "UPDATE session_message SET data = replace(data, '\"finish\":', '\"finish\": ') WHERE id = ?",
        )
        .run(request.messageID),
    );
    const before = stored(request);
    expect(await pruning.rpc("prune", request)).toEqual(blocked("not_deletable"));
    expect(stored(request)).toBe(before);
  });

  it("keeps numbers, escapes, lone surrogates and duplicate keys as they are written", async () => {
    const request = await seed();
    const odd = `{"type":"text","text":"\\ud800\\/\\u00e9","n":[1.0,-0,1E3,12345678901234567890],"d":1,"d":2.0}`;
    const data = (parts: string) =>
      `{"odd":${odd},"time":{"created":1.0,"completed":2e0},"agent":"a","model":{"id":"m","providerID":"p"},"content":[${parts}],"finish":"stop"}`;
    const tool = `{"type":"tool","id":"c","name":"n","state":{"status":"completed","input":{},"content":[{"type":"text","text":"x"}]},"time":{"created":1}}`;
    const write = data(`${odd},${tool},${odd}`);
    inDatabase((database) =>
      database.prepare("UPDATE session_message SET data = ? WHERE id = ?").run(write, request.messageID),
    );
    const revision = revisionOf(JSON.parse(write).content);
    expect((await pruning.rpc("prune", { ...request, revision })).body.output).toMatchObject({
      status: "pruned",
    });
    expect(stored(request)).toBe(
      Buffer.from(data(`${odd},${odd}`))
        .toString("hex")
        .toUpperCase(),
    );
  });
});

describe("a database that another process holds", () => {
  it("refuses while it is held, leaves no nonce, and the daemon goes on answering", async () => {
    const request = await seed();
    await pruning.rpc("prune", { ...request, revision: "0".repeat(64) });
    const other = new Database(pruning.daemon.database);
    other.exec("BEGIN IMMEDIATE");
    try {
      // The daemon's own write would stand still for five seconds here, and every other answer with it.
      const patience = AbortSignal.timeout(4000);
      expect(await pruning.rpc("prune", request, { signal: patience })).toEqual(
        blocked("maintenance_required"),
      );
      expect((await pruning.request("GET", "/api/info", undefined, patience)).status).toBe(200);
    } finally {
      other.exec("ROLLBACK");
      other.close();
    }
    expect(nonces()).toEqual([]);
    expect((await pruning.rpc("prune", request)).body.output).toMatchObject({ status: "pruned" });
  });
});

describe("eight identical requests at once", () => {
  it("get the same answer and delete once, in any order of their indexes", async () => {
    const request = await seed();
    const orders = Array.from({ length: 8 }, (_, at) => (at % 2 ? [1, 2] : [2, 1]));
    const answers = await Promise.all(orders.map((indexes) => pruning.rpc("prune", { ...request, indexes })));
    const [first] = answers;
    expect(first?.body.output).toMatchObject({ status: "pruned", removedCount: 2 });
    expect(answers).toEqual(Array(8).fill(first));
    const message = await pruning.message(request.sessionID, request.messageID);
    expect(message.content).toEqual([textPart("kept")]);
  });
});

describe("a caller that aborts", () => {
  it("at any moment leaves the message before or after, and its receipt says which", async () => {
    // The first prune of a database makes the table of receipts.
    await pruning.rpc("prune", await seed());
    for (let round = 0; round < 20; round += 1) {
      const request = await seed();
      const before = stored(request);
      const caller = new AbortController();
      const answer = pruning.rpc("prune", request, { signal: caller.signal }).catch(() => "aborted");
      await new Promise((resolve) => setTimeout(resolve, round % 7));
      caller.abort();
      await answer;
      const [isAfter, receipts] = inDatabase((database) =>
        // In one snapshot: the daemon may not have noticed yet that nobody waits any more.
        database.transaction(() => [
          database
            .prepare("SELECT hex(data) FROM session_message WHERE id = ?")
            .pluck()
            .get(request.messageID) !== before,
          database
            .prepare("SELECT count(*) FROM opencode_prune_receipt WHERE message_id = ?")
            .pluck()
            .get(request.messageID),
        ])(),
      );
      expect(receipts).toBe(isAfter ? 1 : 0);
      expect((await pruning.rpc("prune", request)).body.output).toMatchObject({ status: "pruned" });
    }
  });
});

describe("malformed requests", () => {
  it("are refused by name and change nothing", async () => {
    const request = await seed();
    const before = stored(request);
    for (const [input, names] of [
      [{ ...request, force: true }, /force/],
      [{ ...request, content: [] }, /content/],
      [{ ...request, databasePath: "/tmp/x.db" }, /databasePath/],
      [{ ...request, indexes: [1, 1] }, /indexes/],
      [{ ...request, indexes: [-1] }, /indexes/],
      [{ ...request, indexes: [0.5] }, /indexes/],
      [{ ...request, indexes: Array.from({ length: 100_002 }, (_, at) => at) }, /indexes/],
      [{ ...request, revision: "A".repeat(64) }, /revision/],
      [{ ...request, sessionID: "" }, /sessionID/],
      [{ ...request, messageID: "m".repeat(300) }, /messageID/],
    ] as const) {
      const answer = await pruning.rpc("prune", input);
      expect(answer).toMatchObject({
        status: 400,
        body: { type: "rpc.invalid_input", message: expect.stringMatching(names) },
      });
    }
    expect(stored(request)).toBe(before);
  });
});

describe("the published plugin", () => {
  it("serves while it is there, and this one takes over when it goes", async () => {
    const request = await seed();
    const folder = join(pruning.daemon.configuration, "plugins", "published");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "index.js"),
      `export default { id: "${PUBLISHED_PLUGIN_ID}", async setup(ctx) {
        const registration = await ctx.rpc.register(
          { id: "${PRUNING_RPC}", methods: { whoami: { input: {}, output: {} } }, events: {} },
          { whoami: async () => "published" },
        );
        return () => registration.dispose();
      } };`,
    );
    /** What a method answers now: its output, the status in it, or the kind of the refusal. */
    const outcome = async (method: string) => {
      const { body } = await pruning.rpc(method, request);
      return body.output?.status ?? body.output ?? body.type;
    };
    const becomes = (method: string, expected: string) =>
      expect.poll(() => outcome(method), { timeout: 20_000, interval: 100 }).toBe(expected);
    await becomes("whoami", "published");
    expect(await outcome("prune")).toBe("rpc.method_not_found");
    await rm(folder, { recursive: true });
    await becomes("prune", "pruned");
    expect(await outcome("whoami")).toBe("rpc.method_not_found");
  });
});

describe("a copy of the database configured by mistake", () => {
  it("is recognised, and does not change", async () => {
    const request = await seed();
    const copy = join(pruning.daemon.home, "copy.db");
    inDatabase((database) => database.pragma("wal_checkpoint(TRUNCATE)"));
    await copyFile(pruning.daemon.database, copy);
    const mistaken = await startPruningDaemon({ pluginOptions: { databasePath: copy } });
    try {
      const directory = pruning.directory;
      const { sessionID, messageID } = request;
      expect(await mistaken.rpc("preview", { sessionID, messageID }, { directory })).toEqual(
        blocked("unsupported_storage"),
      );
      expect(await mistaken.rpc("prune", request, { directory })).toEqual(blocked("unsupported_storage"));
      const copied = new Database(copy, { readonly: true });
      const data = copied
        .prepare("SELECT hex(data) FROM session_message WHERE id = ?")
        .pluck()
        .get(messageID);
      copied.close();
      expect(data).toBe(stored(request));
    } finally {
      await mistaken.remove();
    }
    expect(nonces()).toEqual([]);
  });
});
