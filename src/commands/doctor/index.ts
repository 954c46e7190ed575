import { type Connection, isLoopback, type Session } from "../../opencode/index.ts";
import { findSession, type GlobalOptions } from "../connection.ts";
import type { DocumentBody } from "../documents/index.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interruption.ts";
import { printDocument } from "../print-document.ts";
import { printLines } from "../table.ts";
import { Area, type Check, Privacy } from "./check.ts";
import { checkFiles } from "./files.ts";
import { checkPlugin } from "./plugin.ts";
import { checkConnection, checkServiceFile } from "./server.ts";
import { checkTerminal } from "./terminal.ts";

declare const __VERSION__: string;

export interface DoctorOptions extends GlobalOptions {
  readonly session?: string;
}

/** `opencode-prune doctor`: exits with 1 when a check failed. Changes nothing. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { signal, release } = untilInterrupted();
  try {
    const body = await examine(options, signal);
    if (options.json) printDocument("doctor", body);
    else printLines(linesOf(body.checks));
    return body.ok ? EXIT.done : EXIT.failed;
  } finally {
    release();
  }
}

async function examine(options: DoctorOptions, signal: AbortSignal): Promise<DocumentBody<"doctor">> {
  const privacy = new Privacy(process.env, remoteHost(options.server));
  const program = new Area("program", privacy);
  const server = new Area("server", privacy);
  const files = new Area("files", privacy);
  const terminal = new Area("terminal", privacy);
  const plugin = new Area("plugin", privacy);
  const storage = new Area("storage", privacy);

  program.ok(
    "version",
    `opencode-prune ${__VERSION__}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  );
  const hasSqlite = await checkSqlite(program);
  await checkServiceFile(server, options);
  const connection = await checkConnection(server, options, signal);
  let database: DocumentBody<"doctor">["database"];
  if (connection) {
    const session =
      options.session === undefined
        ? undefined
        : await findSession(connection.client, options.session, signal);
    const newest = session ?? (await newestSession(connection, signal));
    await checkPlugin(plugin, connection.client, newest?.location.directory, signal);
    if (hasSqlite) database = await examineStorage(storage, connection, session, newest);
    const { checkPreview } = await import("./storage.ts");
    if (session && isAnswering(plugin)) await checkPreview(storage, connection.client, session, signal);
  }
  checkFiles(files, process.env);
  checkTerminal(terminal, {
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 0,
    rows: process.stdout.rows ?? 0,
    environment: process.env,
    platform: process.platform,
  });
  const checks = [program, server, plugin, storage, files, terminal].flatMap((area) => area.checks);
  return {
    ok: checks.every(({ status }) => status !== "fail"),
    checks,
    ...(database === undefined ? {} : { database }),
  };
}

async function checkSqlite(area: Area): Promise<boolean> {
  try {
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(":memory:");
    const version = database.prepare("SELECT sqlite_version()").pluck().get();
    database.close();
    area.ok("SQLite", `${version}`);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    area.fail(
      "SQLite",
      `better-sqlite3 cannot be loaded (${String(code ?? "unknown reason")})`,
      "install opencode-prune again for this version of Node, or run `npm rebuild better-sqlite3`",
    );
    return false;
  }
}

/** The daemon's database, read only, as far as it is on this machine. */
async function examineStorage(
  area: Area,
  { client }: Connection,
  session: Session | undefined,
  newest: Session | undefined,
): Promise<DocumentBody<"doctor">["database"]> {
  const [{ checkSize, findDatabase }, { checkFence }] = await Promise.all([
    import("./database.ts"),
    import("./storage.ts"),
  ]);
  const found = findDatabase(area, client.baseUrl, newest?.id);
  if (!found) return undefined;
  try {
    checkFence(area, found.connection, session);
    return await checkSize(area, found);
  } finally {
    found.connection.close();
  }
}

async function newestSession({ client }: Connection, signal: AbortSignal): Promise<Session | undefined> {
  return (await client.session.list({ limit: 1 }, { signal })).data[0];
}

function isAnswering({ checks }: Area): boolean {
  return checks.some(({ name, status }) => name === "RPC preview" && status === "ok");
}

function remoteHost(server: string | undefined): string | undefined {
  if (server === undefined || !URL.canParse(server)) return undefined;
  const { hostname } = new URL(server);
  return isLoopback(hostname) || hostname === "" ? undefined : hostname;
}

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

function linesOf(checks: readonly Check[]): readonly string[] {
  const lines: string[] = [];
  let area = "";
  for (const check of checks) {
    if (check.area !== area) lines.push(...(area === "" ? [] : [""]), check.area);
    area = check.area;
    lines.push(`  ${MARKS[check.status]}  ${check.name}: ${check.detail}`);
    if (check.todo !== undefined) lines.push(`        → ${check.todo}`);
  }
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  return [...lines, "", `${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} failed.`];
}
