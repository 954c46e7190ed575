import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import { createCleanup, JobStore, LEASE } from "../../src/pruning/index.ts";
import { bundleChild, startChild } from "../cache/support/processes.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";

let native: PruningDaemon;
let client: OpenCodeClient;
let folder: string;
let program: string;

beforeAll(async () => {
  native = await startPruningDaemon();
  client = OpenCode.make({ baseUrl: native.daemon.url, headers: passwordHeaders(native.daemon.password) });
  folder = await mkdtemp(join(tmpdir(), "opencode-prune-jobs-"));
  program = await bundleChild(join(import.meta.dirname, "support/cleanup-child.ts"));
});

afterAll(async () => {
  await native?.remove();
  await rm(folder, { recursive: true, force: true });
  await rm(dirname(program), { recursive: true, force: true });
});

/** A session of so many assistant messages, each with a kept text between a thought and a tool. */
async function importSession(sessionID: string, count: number): Promise<void> {
  const answers = Array.from({ length: count }, (_, at) =>
    assistantMessage(`msg_${sessionID}_${String(at).padStart(5, "0")}`, [
      reasoningPart(`thought ${at}`),
      textPart(`kept ${at} é 1.0`),
      toolPart(`call_${sessionID}_${at}`, `output ${at}`),
    ]),
  );
  await native.importSession(sessionID, [userMessage(`msg_${sessionID}_user`, "go"), ...answers]);
}

function rows(sql: string, ...values: readonly string[]): Record<string, unknown>[] {
  const database = new Database(native.daemon.database, { readonly: true });
  try {
    return database.prepare(sql).all(...values) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

const storedRows = (sessionID: string) =>
  rows("SELECT id, seq, data FROM session_message WHERE session_id = ? ORDER BY seq", sessionID).map(
    ({ id, seq, data }) => ({ id, seq, data: String(data) }),
  );

const partTypes = (data: string) =>
  (JSON.parse(data).content as { type: string }[] | undefined)?.map(({ type }) => type);

function store(ahead = 0): JobStore {
  return new JobStore({ folder, now: () => Date.now() + ahead });
}

describe("cleaning whole sessions on the real daemon", () => {
  it("plans without deleting, and deletes exactly what it planned", async () => {
    await importSession("ses_plan_a", 150);
    await importSession("ses_plan_b", 3);
    await importSession("ses_plan_bystander", 5);
    const change = new Database(native.daemon.database);
    change
      .prepare("UPDATE session_message SET data = json_remove(data, '$.time.completed') WHERE id = ?")
      .run("msg_ses_plan_b_00001");
    change.close();
    const before = new Map(
      ["ses_plan_a", "ses_plan_b", "ses_plan_bystander"].map((id) => [id, storedRows(id)]),
    );

    const jobs = store();
    const cleanup = createCleanup({ client, jobs });
    const plan = await cleanup.plan(["ses_plan_b", "ses_plan_a", "ses_nowhere"]);
    expect(plan).toMatchObject({
      sessions: [
        {
          sessionID: "ses_plan_b",
          eligible: { messages: 2, parts: 4 },
          skipped: [{ reason: "incomplete", messages: 1, parts: 2 }],
        },
        { sessionID: "ses_plan_a", eligible: { messages: 150, parts: 300 }, skipped: [] },
        { sessionID: "ses_nowhere", eligible: { messages: 0 }, refused: "vanished" },
      ],
      messages: 152,
      parts: 304,
      requests: 4,
    });
    for (const [id, kept] of before) expect(storedRows(id)).toEqual(kept);

    const report = await cleanup.run(plan, {});
    expect(report).toEqual({
      prunedParts: 304,
      prunedMessages: 152,
      prunedBytes: plan.bytes,
      skippedMessages: 0,
      refused: [],
      stopped: false,
    });
    const after = storedRows("ses_plan_a");
    expect(after.map(({ id, seq }) => [id, seq])).toEqual(
      before.get("ses_plan_a")?.map(({ id, seq }) => [id, seq]),
    );
    for (const { id, data } of after) {
      if (String(id).endsWith("_user")) continue;
      expect(JSON.parse(data).content).toEqual([textPart(`kept ${Number(String(id).slice(-5))} é 1.0`)]);
    }
    expect(storedRows("ses_plan_b").map(({ data }) => partTypes(data)?.length)).toEqual([undefined, 1, 3, 1]);
    expect(storedRows("ses_plan_bystander")).toEqual(before.get("ses_plan_bystander"));
    expect(cleanup.interrupted()).toEqual([]);
    jobs.close();
  });

  it("refuses a session with a staged revert, and says so before anybody is asked", async () => {
    await importSession("ses_reverted", 3);
    const staged = await native.request("POST", "/api/session/ses_reverted/revert/stage", {
      messageID: "msg_ses_reverted_user",
    });
    expect(staged.status).toBe(200);
    const jobs = store();
    const plan = await createCleanup({ client, jobs }).plan(["ses_reverted"]);
    expect(plan.sessions).toMatchObject([{ refused: "maintenance_required" }]);
    expect(plan.requests).toBe(0);
    jobs.close();
  });
});

describe("a cleanup whose process is killed again and again", () => {
  it("is resumed until it is done: nothing is deleted twice, nothing else is touched", async () => {
    const messages = 2_000;
    await importSession("ses_killed", messages);
    await importSession("ses_bystander", 20);
    const bystander = storedRows("ses_bystander");
    const before = storedRows("ses_killed");

    let ahead = 0;
    for (const calls of [2, 1, 5, 3, 1]) {
      const child = startChild(program, [native.daemon.url, folder, String(ahead), "ses_killed"], {
        env: { ...process.env, OPENCODE_SERVER_PASSWORD: native.daemon.password },
      });
      for (let call = 0; call <= calls; call += 1) expect(await child.line()).toBe("progress");
      // In the middle of the next call, at one time or another.
      await new Promise((resolve) => setTimeout(resolve, 7 * calls));
      child.process.kill("SIGKILL");
      await child.ended();
      expectWholeMessages(before, storedRows("ses_killed"));
      ahead += 2 * LEASE;
    }

    const jobs = store(ahead);
    const cleanup = createCleanup({ client, jobs });
    const [job, ...others] = cleanup.interrupted();
    if (!job) throw new Error("there was nothing left to resume; the kills came too late");
    expect(others).toEqual([]);
    expect(job.state).toBe("unknown");
    expect(job.left.messages).toBeLessThan(messages);
    const report = await cleanup.resume(job, {});
    expect(report).toMatchObject({ prunedMessages: job.left.messages, refused: [], stopped: false });
    expect(cleanup.interrupted()).toEqual([]);
    jobs.close();

    const after = storedRows("ses_killed");
    expectWholeMessages(before, after);
    expect(after.filter(({ data }) => (partTypes(data)?.length ?? 1) > 1)).toEqual([]);
    expect(storedRows("ses_bystander")).toEqual(bystander);
    // One receipt a message: each was pruned once, of two parts.
    const receipts = rows(
      "SELECT message_id, removed_count FROM opencode_prune_receipt WHERE session_id = ?",
      "ses_killed",
    );
    expect(receipts).toHaveLength(messages);
    expect(new Set(receipts.map(({ message_id }) => message_id)).size).toBe(messages);
    expect(new Set(receipts.map(({ removed_count }) => removed_count))).toEqual(new Set([2]));
  });
});

describe("a cleanup whose daemon is killed", () => {
  it("stops with an honest report, and is resumed on the next daemon", async () => {
    const messages = 1_000;
    await importSession("ses_daemon", messages);
    const before = storedRows("ses_daemon");
    const jobs = new JobStore({ folder: join(folder, "daemon") });
    const problems: string[] = [];
    const cleanup = createCleanup({
      client,
      jobs,
      retries: [50, 50],
    });
    cleanup.onProblem((problem) => problems.push(problem));
    const plan = await cleanup.plan(["ses_daemon"]);
    let killed: Promise<void> | undefined;
    let steps = 0;
    const report = await cleanup.run(plan, {
      onProgress: () => {
        steps += 1;
        if (steps === 4) killed = native.daemon.stop("SIGKILL");
      },
    });
    await killed;
    expect(report.stopped).toBe(true);
    expect(report.prunedMessages).toBeLessThan(messages);
    expect(report.prunedMessages + report.refused.length + report.skippedMessages).toBe(messages);
    expectWholeMessages(before, storedRows("ses_daemon"));

    await native.daemon.start();
    const [job] = cleanup.interrupted();
    if (!job) throw new Error("there was nothing left to resume");
    expect(job.left.messages).toBe(messages - report.prunedMessages);
    const resumed = await cleanup.resume(job, {});
    expect(resumed).toMatchObject({ prunedMessages: job.left.messages, refused: [], stopped: false });
    expect(storedRows("ses_daemon").filter(({ data }) => (partTypes(data)?.length ?? 1) > 1)).toEqual([]);
    const receipts = rows("SELECT request FROM opencode_prune_receipt WHERE session_id = ?", "ses_daemon");
    expect(receipts).toHaveLength(messages);
    jobs.close();
  });
});

describe("the file of jobs", () => {
  it("holds no content of a message and no password", async () => {
    const names = (await readdir(folder)).filter((name) => name.startsWith("jobs.db"));
    expect(names).toContain("jobs.db");
    for (const name of names) {
      const bytes = await readFile(join(folder, name), "latin1");
      for (const secret of ["thought 1", "output 1", "kept 1", native.daemon.password]) {
        expect(bytes.includes(secret)).toBe(false);
      }
    }
  });
});

type StoredRow = ReturnType<typeof storedRows>[number];

/** Every message is as it was, or lost exactly its technical parts. */
function expectWholeMessages(before: readonly StoredRow[], after: readonly StoredRow[]): void {
  expect(after).toHaveLength(before.length);
  after.forEach((row, at) => {
    const was = before[at];
    if (row.data === was?.data) return;
    const message = JSON.parse(was?.data ?? "{}");
    expect(JSON.parse(row.data)).toEqual({ ...message, content: [message.content[1]] });
    expect(row.id).toBe(was?.id);
  });
}
