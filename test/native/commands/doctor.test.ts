import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, textPart, toolPart, userMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli } from "../support/run-cli.ts";

const TITLE = "A secret title";
let native: PruningDaemon;

beforeAll(async () => {
  native = await startPruningDaemon();
  const messages = [
    userMessage("msg_asked", TITLE),
    assistantMessage("msg_answered", [textPart("kept"), toolPart("call_1", "output")]),
  ];
  await native.importSession("ses_chosen", messages);
  await native.importSession("ses_private", [assistantMessage("msg_private", [toolPart("call_2", TITLE)])]);
  await chmod(native.daemon.database, 0o600);
});

afterAll(() => native?.remove());

async function examined(args: readonly string[] = [], environment = native.daemon.environment) {
  const result = await runCli(["doctor", "--json", "--server", native.daemon.url, ...args], environment);
  expect(result.stderr).toBe("");
  const report = publishedDocument("doctor", result.stdout);
  expect(result.code).toBe(report.ok ? 0 : 1);
  const status = Object.fromEntries(report.checks.map((check) => [check.name, check.status]));
  return { ...report, status, text: result.stdout };
}

describe("the doctor", () => {
  it("finds nothing wrong where nothing is, check by check", async () => {
    const { ok, status, checks } = await examined(["--session", "ses_chosen"]);
    expect(checks.filter((check) => check.status === "fail")).toEqual([]);
    expect(ok).toBe(true);
    for (const name of [
      "connection",
      "authentication",
      "RPC prune",
      "RPC history",
      "RPC outline",
      "database file",
      "no trigger exists",
      "no durable claim is set",
      "no revert is staged",
      "no event is retained",
      "preview by the plugin",
    ]) {
      expect([name, status[name]]).toEqual([name, "ok"]);
    }
  });

  it("says what stands against pruning the chosen session", async () => {
    await native.importSession("ses_reverting", [
      userMessage("msg_r", "x"),
      assistantMessage("msg_s", [toolPart("call_3", "x")]),
    ]);
    await native.request("POST", "/api/session/ses_reverting/revert/stage", { messageID: "msg_r" });
    const { ok, status, checks } = await examined(["--session", "ses_reverting"]);
    expect(status["no revert is staged"]).toBe("warn");
    expect(checks.find(({ name }) => name === "no revert is staged")?.todo).toContain("staged revert");
    expect(ok).toBe(true);
  });

  it("tells how large the database is, what is free in it, and what VACUUM needs", async () => {
    const { database, checks } = await examined();
    const reader = new Database(native.daemon.database, { readonly: true });
    const pages = Number(reader.pragma("page_count", { simple: true }));
    const free = Number(reader.pragma("freelist_count", { simple: true }));
    const size = Number(reader.pragma("page_size", { simple: true }));
    reader.close();
    expect(database).toMatchObject({
      bytes: pages * size,
      freeBytes: free * size,
      vacuumNeedsBytes: 2 * (pages - free) * size,
    });
    expect(checks.find(({ name }) => name === "VACUUM")?.detail).toContain(
      "pruning does not shrink the file",
    );
  });

  it("holds nothing private", async () => {
    const home = await examined(["--session", "ses_chosen"], {
      ...native.daemon.environment,
      HOME: native.daemon.home,
    });
    for (const secret of [
      native.daemon.password,
      native.daemon.home,
      native.directory,
      TITLE,
      "ses_private",
      "msg_answered",
    ]) {
      expect(home.text).not.toContain(secret);
    }
    expect(home.text).toContain("~/data/opencode.db");
  });

  it("changes nothing", async () => {
    const rows = () => {
      const reader = new Database(native.daemon.database, { readonly: true });
      const tables = reader
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .pluck()
        .all();
      const counts = tables.map((table) => [
        table,
        reader.prepare(`SELECT count(*) FROM "${table}"`).pluck().get(),
      ]);
      reader.close();
      return counts;
    };
    const cache = join(native.daemon.environment.XDG_CACHE_HOME ?? "", "opencode-prune");
    await examined(["--session", "ses_chosen"]);
    const before = rows();
    await examined(["--session", "ses_chosen"]);
    expect(rows()).toEqual(before);
    await expect(stat(cache)).rejects.toThrow("ENOENT");
  });

  it("explains what keeps it from going on", async () => {
    const wrong = await examined([], { ...native.daemon.environment, OPENCODE_SERVER_PASSWORD: "wrong" });
    expect(wrong).toMatchObject({ ok: false, status: { connection: "ok", authentication: "fail" } });
    expect(wrong.checks.find(({ name }) => name === "authentication")?.todo).toContain(
      "OPENCODE_SERVER_PASSWORD",
    );
    const service = await runCli(["doctor"], native.daemon.environment);
    expect(service.code).toBe(1);
    expect(service.stdout).toMatch(/FAIL +service file: No OpenCode service runs.*\n +→ start it with/);
  });

  it("does not take another database for the server's", async () => {
    const other = join(native.daemon.home, "other.db");
    const { status } = await examined([], { ...native.daemon.environment, OPENCODE_DB: other });
    expect(status["database file"]).toBe("warn");
    expect(status["no trigger exists"]).toBeUndefined();
    const file = new Database(other);
    file.pragma("journal_mode = WAL");
    file.exec("CREATE TABLE session_v2 (id TEXT)");
    const foreign = await examined([], { ...native.daemon.environment, OPENCODE_DB: other });
    expect(foreign.checks.find(({ name }) => name === "database file")).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("does not hold the server's sessions"),
    });
    file.close();
    expect(await readFile(other)).toBeInstanceOf(Buffer);
  });
});
