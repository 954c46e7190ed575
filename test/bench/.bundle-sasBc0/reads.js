// test/bench/reads/reads.bench.ts
import { existsSync } from "node:fs";
// test/native/support/pruning-daemon.ts
import {
  mkdir as mkdir2,
  mkdtemp as mkdtemp3,
  mkdtemp as mkdtemp4,
  rm as rm3,
  rm as rm4,
} from "node:fs/promises";
import { tmpdir as tmpdir3, tmpdir as tmpdir4 } from "node:os";
import { join as join4, join as join6 } from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
import { build } from "esbuild";

// src/contract/bulk.ts
import { z as z3 } from "zod";

// src/contract/limits.ts
var MAX_ID_LENGTH = 256;
var MAX_PART_INDEX = 1e5;
var MAX_PARTS = 100001;
var MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
var MAX_BATCH = 16;
var MAX_CURSOR_LENGTH = 4096;
var MAX_NAMED_SESSIONS = 1e3;
var MAX_BULK = 2e3;

// src/contract/members.ts
import { z } from "zod";

var idOf = (member) => {
  const rule = `${member} must be 1 to ${MAX_ID_LENGTH} characters`;
  return z.string(rule).min(1, rule).max(MAX_ID_LENGTH, rule);
};
var sessionID = idOf("sessionID");
var messageID = idOf("messageID");
var REVISION_RULE = "revision must be 64 lower-case hex digits";
var revision = z.string(REVISION_RULE).regex(/^[0-9a-f]{64}$/, REVISION_RULE);
var INDEX_RULE = `each of indexes must be a whole number from 0 to ${MAX_PART_INDEX}`;
var index = z.number(INDEX_RULE).int(INDEX_RULE).min(0, INDEX_RULE).max(MAX_PART_INDEX, INDEX_RULE);
var INDEXES_RULE = `indexes must be 1 to ${MAX_PARTS} unique numbers`;
var indexes = z
  .array(index, INDEXES_RULE)
  .min(1, INDEXES_RULE)
  .max(MAX_PARTS, INDEXES_RULE)
  .refine((numbers) => new Set(numbers).size === numbers.length, INDEXES_RULE);
var count = z.number().int().min(0);
var countOf = (member) => {
  const rule = `${member} must be a whole number, 0 or more`;
  return z.number(rule).int(rule).min(0, rule);
};
var CURSOR_RULE = `cursor must be 1 to ${MAX_CURSOR_LENGTH} characters, as a page gave it`;
var cursor = z.string(CURSOR_RULE).min(1, CURSOR_RULE).max(MAX_CURSOR_LENGTH, CURSOR_RULE);

// src/contract/rpc.ts
import { z as z2 } from "zod";

// src/contract/technical.ts
var TECHNICAL_TYPES = ["tool", "reasoning"];

// src/contract/rpc.ts
var PRUNING_RPC = "codenomad.session-pruning";
var READING_RPC = "opencode-prune";
var PRUNED_EVENT_NAME = "pruned";
var PRUNED_EVENT = `rpc.${PRUNING_RPC}.${PRUNED_EVENT_NAME}`;
var BLOCKED_REASONS = [
  "unavailable",
  "maintenance_required",
  "conflict",
  "not_deletable",
  "unsupported_storage",
];
var Blocked = z2.strictObject({ status: z2.literal("blocked"), reason: z2.enum(BLOCKED_REASONS) });
var PreviewInput = z2.strictObject({ sessionID, messageID });
var PreviewOutput = z2.discriminatedUnion("status", [
  z2.strictObject({
    status: z2.literal("preview"),
    revision,
    liveMutation: z2.boolean(),
    parts: z2.array(z2.strictObject({ index, type: z2.enum(TECHNICAL_TYPES), bytes: count })),
  }),
  Blocked,
]);
var PruneInput = z2.strictObject({ sessionID, messageID, revision, indexes });
var Pruned = z2.strictObject({
  status: z2.literal("pruned"),
  messageID,
  revision,
  removedCount: count,
});
var PruneOutput = z2.discriminatedUnion("status", [Pruned, Blocked]);
var Candidate = z2.strictObject({
  messageID,
  revision,
  toolCount: countOf("toolCount"),
  reasoningCount: countOf("reasoningCount"),
});
var CANDIDATES_RULE = `candidates must be 1 to ${MAX_BATCH} different messages`;
var PruneBatchInput = z2.strictObject({
  sessionID,
  candidates: z2
    .array(Candidate, CANDIDATES_RULE)
    .min(1, CANDIDATES_RULE)
    .max(MAX_BATCH, CANDIDATES_RULE)
    .refine(
      (candidates) => new Set(candidates.map((one) => one.messageID)).size === candidates.length,
      CANDIDATES_RULE,
    ),
});
var PruneBatchOutput = z2.strictObject({
  results: z2.array(z2.strictObject({ messageID, result: PruneOutput })),
});
var PrunedEvent = z2.strictObject({ sessionID, messageID, revision });

// src/contract/bulk.ts
var BulkRequest = z3.union([Candidate, z3.strictObject({ messageID, revision, indexes })]);
var REQUESTS_RULE = `requests must be 1 to ${MAX_BULK} different messages`;
var PruneBulkInput = z3.strictObject({
  sessionID,
  requests: z3
    .array(BulkRequest, REQUESTS_RULE)
    .min(1, REQUESTS_RULE)
    .max(MAX_BULK, REQUESTS_RULE)
    .refine(
      (requests) => new Set(requests.map((one) => one.messageID)).size === requests.length,
      REQUESTS_RULE,
    ),
});
var PruneBulkOutput = z3.strictObject({
  /** Of the first requests, in their order: as many as the bytes and the time of one call allow, at least one. */
  results: z3.array(z3.strictObject({ messageID, result: PruneOutput })),
  /** How many requests were not reached. Nothing was done for them: send them again. */
  left: count,
});

// src/contract/canonical.ts
function canonicalJson(value) {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = value;
    const written = [];
    for (const key of Object.keys(members).sort()) {
      const member = members[key];
      if (member !== void 0) written.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
    }
    return `{${written.join(",")}}`;
  }
  return JSON.stringify(value);
}

// src/contract/history.ts
import { z as z4 } from "zod";

var HISTORY_METHOD = "history";
var HISTORY_PURPOSES = ["search", "stats", "prune"];
var MAX_HISTORY_ROWS = 32;
var MAX_QUERY_LENGTH = 200;
var MAX_EXCERPT_LENGTH = 320;
var QUERY_RULE = `query must be a text of at most ${MAX_QUERY_LENGTH} characters`;
var HistoryInput = z4
  .strictObject({
    sessionID: sessionID.optional(),
    /** Sought literally, in upper and lower case alike; nothing is sought when it is empty. */
    query: z4.string(QUERY_RULE).max(MAX_QUERY_LENGTH, QUERY_RULE).default(""),
    /** Whether tool and reasoning parts are searched too. */
    includeTechnical: z4.boolean("includeTechnical must be true or false").default(true),
    purpose: z4
      .enum(HISTORY_PURPOSES, `purpose must be one of ${HISTORY_PURPOSES.join(", ")}`)
      .default("search"),
    cursor: cursor.optional(),
  })
  .refine(
    (input) => input.purpose !== "prune" || input.sessionID !== void 0,
    "the purpose prune needs a sessionID",
  );
var HistoryHit = z4.strictObject({
  sessionID,
  messageID,
  /** The message's type: `assistant`, `user`, `system`, and so on. */
  role: z4.string().max(32),
  /** Position in an assistant message's `content`; 0 for the others. */
  partIndex: count,
  kind: z4.enum(["text", "tool", "reasoning"]),
  excerpt: z4.string().max(MAX_EXCERPT_LENGTH),
});
var counts = {
  /** Messages looked at. */
  scanned: count,
  tools: count,
  reasoning: count,
  /** Messages that could not be looked into, or, for `prune`, that hold technical parts and cannot be pruned. */
  skipped: count,
};
var HistorySession = z4.strictObject({
  sessionID,
  directory: z4.string(),
  workspaceID: z4.string().optional(),
  ...counts,
});
var HistoryPage = z4.strictObject({
  status: z4.literal("page"),
  ...counts,
  hits: z4.array(HistoryHit).max(MAX_HISTORY_ROWS),
  candidates: z4.array(Candidate).max(MAX_HISTORY_ROWS),
  /** The same counts for each session that the page looked into. */
  sessions: z4.array(HistorySession).max(MAX_HISTORY_ROWS).optional(),
  cursor: z4.string().max(MAX_CURSOR_LENGTH).nullable(),
});
var HistoryOutput = z4.discriminatedUnion("status", [HistoryPage, Blocked]);

// src/contract/outline.ts
var UNPRUNABLE = ["incomplete", "unsettled_tool", "unknown_part", "too_large", "malformed"];
var MAX_LABEL_LENGTH = 160;

// src/contract/outline-wire.ts
import { z as z5 } from "zod";

var count2 = z5.number().int().min(0);
var index2 = count2.max(MAX_PART_INDEX);
var name = z5.string().max(MAX_ID_LENGTH).nullable();
var moment = z5.number().nullable();
var ReasoningTuple = z5.tuple([index2, count2, moment]);
var ToolTuple = z5.tuple([index2, count2, moment, name, name, name, z5.string().max(MAX_LABEL_LENGTH)]);
var MessageTuple = z5.tuple([
  z5.string().min(1),
  z5.number(),
  moment,
  count2,
  z5.enum(UNPRUNABLE).nullable(),
  count2,
  count2,
  z5.array(z5.union([ToolTuple, ReasoningTuple])),
]);
var OutlinePage = z5.strictObject({
  status: z5.literal("page"),
  /** Why nothing of the session can be pruned at this moment; null when nothing stands against it. */
  blocked: z5.enum(BLOCKED_REASONS).nullable(),
  /**
   * Assistant messages in the session's order. A message with more parts than fit a page goes on as the first of
   * the next page, under the same id.
   */
  messages: z5.array(MessageTuple),
  /** Ask again with it for what follows; null at the end. */
  cursor: z5.string().nullable(),
});
function appendOutlines(messages, page) {
  for (const tuple of page) {
    const outline = fromTuple(tuple);
    const last = messages.at(-1);
    if (last?.messageID === outline.messageID) messages[messages.length - 1] = joined(last, outline);
    else messages.push(outline);
  }
}
function joined(start, rest) {
  const unprunable = start.unprunable ?? rest.unprunable;
  return {
    messageID: start.messageID,
    created: start.created,
    ...(start.completed === void 0 ? {} : { completed: start.completed }),
    storedBytes: start.storedBytes,
    ...(unprunable === void 0 ? {} : { unprunable }),
    parts: [...start.parts, ...rest.parts],
    kept: { parts: start.kept.parts + rest.kept.parts, bytes: start.kept.bytes + rest.kept.bytes },
  };
}
function fromTuple(tuple) {
  const [messageID2, created, completed, storedBytes, unprunable, keptParts, keptBytes, parts] = tuple;
  return {
    messageID: messageID2,
    created,
    ...(completed === null ? {} : { completed }),
    storedBytes,
    ...(unprunable === null ? {} : { unprunable }),
    parts: parts.map(partOf),
    kept: { parts: keptParts, bytes: keptBytes },
  };
}
function partOf(tuple) {
  const [index3, bytes, created, toolID, toolName, status, label] = tuple;
  return {
    index: index3,
    type: tuple.length === 3 ? "reasoning" : "tool",
    bytes,
    ...(typeof toolID === "string" ? { toolID } : {}),
    ...(typeof toolName === "string" ? { toolName } : {}),
    ...(typeof status === "string" ? { status } : {}),
    label: label ?? "",
    ...(created === null ? {} : { created }),
  };
}

// src/contract/reading.ts
import { z as z6 } from "zod";

var SESSIONS_RULE = `sessionIDs must be 1 to ${MAX_NAMED_SESSIONS} different ids`;
var sessionIDs = z6
  .array(idOf("each of sessionIDs"), SESSIONS_RULE)
  .min(1, SESSIONS_RULE)
  .max(MAX_NAMED_SESSIONS, SESSIONS_RULE)
  .refine((ids) => new Set(ids).size === ids.length, SESSIONS_RULE);
var SESSION_REFUSALS = ["missing", "other_location"];
var READING_REFUSALS = [
  ...SESSION_REFUSALS,
  /** No database, or the thread that reads it cannot be started. */
  "unavailable",
  /** The database is locked; ask again later. */
  "maintenance_required",
  /** The file is not provably this daemon's database, or not one that the plugin understands. */
  "unsupported_storage",
  /** The cursor belongs to another request. */
  "cursor_foreign",
  /** The cursor was made before the plugin was started, or for a file that is no longer the database. */
  "cursor_stale",
  /** The cursor was not made by this plugin. */
  "cursor_forged",
];
var ReadingRefused = z6.strictObject({
  status: z6.literal("refused"),
  reason: z6.enum(READING_REFUSALS),
});
var refusedSessions = z6.array(z6.strictObject({ sessionID, reason: z6.enum(SESSION_REFUSALS) }));
var UsageInput = z6.strictObject({ sessionIDs: sessionIDs.optional(), cursor: cursor.optional() });
var SessionUsage = z6.strictObject({
  sessionID,
  /** Messages of every type. */
  messages: count,
  /** Bytes that the rows of the messages take. */
  storedBytes: count,
  /** The session's last durable sequence number, as events carry it. */
  newestSequence: count,
});
var UsagePage = z6.strictObject({
  status: z6.literal("page"),
  sessions: z6.array(SessionUsage),
  refused: refusedSessions,
  /** Ask again with it for what follows; null at the end. */
  cursor: cursor.nullable(),
});
var UsageOutput = z6.discriminatedUnion("status", [UsagePage, ReadingRefused]);
var OutlineInput = z6.strictObject({ sessionID, cursor: cursor.optional() });
var OutlineOutput = z6.discriminatedUnion("status", [OutlinePage, ReadingRefused]);
var FingerprintInput = z6.strictObject({ sessionIDs });
var SessionFingerprint = z6.strictObject({
  sessionID,
  /** Opaque. Equal means: the same rows, of the same sizes, last written at the same milliseconds. */
  fingerprint: z6.string().regex(/^[0-9a-f]{32}$/),
});
var Fingerprints = z6.strictObject({
  status: z6.literal("fingerprints"),
  fingerprints: z6.array(SessionFingerprint),
  refused: refusedSessions,
  /** Named, but not reached in the time of one answer: ask for these again. */
  unread: z6.array(sessionID),
});
var FingerprintOutput = z6.discriminatedUnion("status", [Fingerprints, ReadingRefused]);

// src/contract/revision.ts
import { createHash } from "node:crypto";

function revisionOf(content) {
  return revisionOfCanonicalParts(content.map((part) => canonicalJson(part ?? null)));
}
function revisionOfCanonicalParts(parts) {
  return createHash("sha256")
    .update(`[${parts.join(",")}]`, "utf8")
    .digest("hex");
}

// src/demo/daemon.ts
import { randomBytes } from "node:crypto";
// src/demo/isolation.ts
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, join as join2 } from "node:path";

async function isolate(home) {
  const folders = {
    HOME: join(home, "home"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
    TMPDIR: join(home, "tmp"),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 448 });
  return {
    environment: { ...withoutUserSettings(process.env), ...folders },
    user: folders.HOME,
    data: folders.XDG_DATA_HOME,
    config: folders.XDG_CONFIG_HOME,
  };
}
function withoutUserSettings(environment) {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name2]) => !name2.startsWith("OPENCODE_") && !name2.startsWith("XDG_"),
    ),
  );
}

// src/demo/supervisor.ts
import { spawn } from "node:child_process";
import { once } from "node:events";

var PATIENCE = 5e3;
function supervise(command) {
  const { patience = PATIENCE } = command;
  const supervisor = spawn(process.execPath, ["-e", SOURCE], {
    cwd: command.folder,
    env: command.environment,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const ended = new Promise((resolve) => supervisor.once("close", () => resolve()));
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.setEncoding("utf8").on("data", command.onOutput);
  return new Promise((resolve, reject) => {
    supervisor.once("error", reject);
    supervisor.once("exit", () => reject(new Error("its supervisor ended at once")));
    supervisor.once("message", (answer) => {
      const pid = answer.pid;
      if (pid === void 0) reject(new Error(answer.failure ?? "it could not be executed"));
      else resolve({ pid, ended, end: (signal) => end(supervisor, pid, signal, patience).then(() => ended) });
    });
    supervisor.send({
      binary: command.binary,
      arguments: command.arguments,
      folder: command.folder,
      patience,
    });
  });
}
async function end(supervisor, pid, signal, patience) {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const exit = once(supervisor, "exit");
  signalProcess(pid, signal);
  const limit = setTimeout(() => signalProcess(pid, "SIGKILL"), patience);
  await exit;
  clearTimeout(limit);
}
function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
var SOURCE = `
const { spawn } = require("node:child_process");
const { rmSync } = require("node:fs");
process.once("message", (command) => {
  const child = spawn(command.binary, command.arguments, {
    cwd: command.folder, stdio: ["ignore", "inherit", "inherit"], detached: true,
  });
  const signal = (target, name) => { try { process.kill(target, name); } catch {} };
  let orphaned = false;
  child.once("spawn", () => process.send({ pid: child.pid }));
  child.once("error", (error) => {
    if (process.connected) process.send({ failure: error.message }, () => process.exit(1));
    else process.exit(1);
  });
  child.once("exit", () => {
    signal(-child.pid, "SIGKILL");
    if (orphaned) rmSync(command.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    process.exit(0);
  });
  process.once("disconnect", () => {
    orphaned = true;
    signal(child.pid, "SIGTERM");
    setTimeout(() => signal(-child.pid, "SIGKILL"), command.patience);
  });
});
`;

// src/demo/daemon.ts
var START_LIMIT = 6e4;
async function startThrowawayDaemon(options) {
  const home = await mkdtemp(join2(options.parent ?? tmpdir(), "opencode-prune-"));
  const password = randomBytes(18).toString("base64url");
  const isolation = await isolate(home);
  const database = join2(isolation.data, "opencode.db");
  const config = typeof options.config === "function" ? await options.config(home) : options.config;
  const environment = {
    ...isolation.environment,
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_DB: database,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    ...(config ? { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } : {}),
    ...options.environment,
  };
  let running;
  let port = 0;
  const start = async () => {
    const started = await listen(options.binary, port, home, environment);
    running = started.process;
    port = started.port;
  };
  const stop = async (signal = "SIGTERM") => {
    const ending = running;
    running = void 0;
    await ending?.end(signal);
  };
  const remove = async () => {
    await stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get pid() {
      return running?.pid ?? 0;
    },
    password,
    home,
    user: isolation.user,
    database,
    configuration: join2(isolation.config, "opencode"),
    environment,
    stop,
    start,
    remove,
  };
}
async function listen(binary, port, home, environment) {
  let output = "";
  let found = (_port) => {};
  const listening = new Promise((resolve) => {
    found = resolve;
  });
  const failure = (why) => new Error(`The throwaway OpenCode daemon did not start: ${why}.`);
  const process2 = await supervise({
    binary,
    arguments: ["serve", "--hostname", "127.0.0.1", "--port", String(port)],
    environment,
    folder: home,
    onOutput(text) {
      if (output === void 0) return;
      output += text;
      const line = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output);
      if (!line) return;
      output = void 0;
      found(Number(line[1]));
    },
  }).catch((error) => {
    throw failure(error.message);
  });
  let limit;
  const late = new Promise((resolve) => {
    limit = setTimeout(resolve, START_LIMIT, "it said nothing within a minute");
  });
  const over = process2.ended.then(() => `it ended: ${output?.trim().split("\n").at(-1) ?? ""}`);
  const outcome = await Promise.race([listening, late, over]);
  clearTimeout(limit);
  if (typeof outcome === "number") return { process: process2, port: outcome };
  await process2.end("SIGKILL");
  throw failure(outcome);
}

// src/demo/runtime.ts
import { execFile } from "node:child_process";
import { access, constants, mkdtemp as mkdtemp2, rm as rm2 } from "node:fs/promises";
import { tmpdir as tmpdir2 } from "node:os";
import { delimiter, dirname, join as join3 } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

var run = promisify(execFile);
var ANSWER_LIMIT = 2e4;
var NAME = process.platform === "win32" ? "opencode.exe" : "opencode";
async function findRuntime(environment = process.env, installed = installedRuntime) {
  const named = environment.OPENCODE_BIN;
  if (named) {
    if (await isOpenCode2(named)) return { binary: named };
    return {
      missing: `OPENCODE_BIN names ${named}, which is not an OpenCode 2 executable; correct or unset it.`,
    };
  }
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const candidate of [...folders.map((folder) => join3(folder, NAME)), installed()])
    if (await isOpenCode2(candidate)) return { binary: candidate };
  return {
    missing: `No OpenCode 2 runtime for ${process.platform} ${process.arch} was found; run \`npm run runtime\`, put an opencode 2.x on the PATH, or set OPENCODE_BIN.`,
  };
}
function installedRuntime() {
  const here = dirname(fileURLToPath(import.meta.url));
  const root2 = here.endsWith("dist") ? dirname(here) : dirname(dirname(here));
  return join3(root2, "test/runtime/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode");
}
async function isOpenCode2(binary) {
  try {
    await access(binary, constants.X_OK);
  } catch {
    return false;
  }
  const home = await mkdtemp2(join3(tmpdir2(), "opencode-prune-version-"));
  try {
    const { environment } = await isolate(home);
    const { stdout } = await run(binary, ["--version"], { timeout: ANSWER_LIMIT, env: environment });
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0].startsWith("2.") ?? false;
  } catch {
    return false;
  } finally {
    await rm2(home, { recursive: true, force: true });
  }
}

// test/native/support/pruning-daemon.ts
var root = fileURLToPath2(new URL("../../..", import.meta.url));
async function bundlePlugin(entry = "src/plugin/index.ts") {
  const folder = await mkdtemp3(join4(tmpdir3(), "opencode-prune-plugin-"));
  await build({
    absWorkingDir: root,
    entryPoints: { index: entry, worker: "src/plugin/worker.ts" },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
  });
  return folder;
}
async function requireRuntime() {
  const found = await findRuntime();
  if ("missing" in found) throw new Error(found.missing);
  return found.binary;
}
async function startPruningDaemon(options = {}) {
  const plugin = await bundlePlugin(options.entry);
  const daemon = await startThrowawayDaemon({
    ...(options.parent === void 0 ? {} : { parent: options.parent }),
    binary: await requireRuntime(),
    config: {
      ...options.config,
      plugins: [{ package: plugin, options: options.pluginOptions ?? {} }, ...(options.plugins ?? [])],
    },
  });
  const directory = join4(daemon.home, "project");
  await mkdir2(directory, { recursive: true });
  const authorization = `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`;
  const request = async (method, path, body, signal) => {
    const answer = await fetch(daemon.url + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === void 0 ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? void 0 : JSON.parse(text) };
  };
  const rpc = (method, input, { directory: at2 = directory, rpcID, signal } = {}) =>
    request(
      "POST",
      `/api/rpc/${rpcID ?? PRUNING_RPC}/${method}?location[directory]=${encodeURIComponent(at2)}`,
      { input },
      signal,
    );
  const importSession = async (sessionID2, messages, at2 = directory) => {
    const answer = await request("POST", "/api/experimental/session/import", {
      info: {
        id: sessionID2,
        projectID: "global",
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 17e11, updated: 17e11 },
        title: sessionID2,
        location: { directory: at2 },
      },
      messages,
      location: { directory: at2 },
    });
    if (answer.status !== 200)
      throw new Error(`The import answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const pruning = {
    daemon,
    directory,
    request,
    rpc,
    importSession,
    message: async (sessionID2, messageID2) =>
      (await request("GET", `/api/session/${sessionID2}/message/${messageID2}`)).body.data,
    remove: async () => {
      await daemon.remove();
      await rm3(plugin, { recursive: true, force: true });
    },
  };
  await untilRpcAnswers(pruning);
  return pruning;
}
async function untilRpcAnswers(pruning) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await pruning.rpc("preview", { sessionID: "ses_none", messageID: "msg_none" });
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await pruning.remove();
  throw new Error("The plugin's RPC did not answer within ten seconds.");
}

// test/bench/reads/batch.ts
import { copyFileSync } from "node:fs";
import { join as join5 } from "node:path";
import Database2 from "better-sqlite3";

// test/bench/reads/seed.ts
import Database from "better-sqlite3";

// test/native/support/messages.ts
function assistantMessage(id, content, time = {}) {
  return {
    id,
    type: "assistant",
    agent: "build",
    model: { id: "fixture", providerID: "fixture" },
    time: { created: 1700000001e3, completed: 1700000002e3, ...time },
    content,
    finish: "stop",
  };
}
function textPart(text) {
  return { type: "text", text };
}
function reasoningPart(text) {
  return { type: "reasoning", text, time: { created: 1700000001100, completed: 1700000001200 } };
}
function toolPart(id, output, state = {}) {
  return {
    type: "tool",
    id,
    name: "read",
    state: {
      status: "completed",
      input: { filePath: `/project/${id}.ts` },
      content: [{ type: "text", text: output }],
      ...state,
    },
    time: { created: 1700000001300, ran: 1700000001400, completed: 1700000001500 },
  };
}

// test/bench/reads/seed.ts
var LINE = 'src/app/server.ts:120:14 - note: "retry" after 250 ms, h\xF6chstens\n';
function agentMessage(id, bytes) {
  const output = LINE.repeat(Math.ceil((bytes - 2200) / (LINE.length + 4)));
  return assistantMessage(id, [
    textPart(`I look at ${id}. ${"I say what I do. ".repeat(15)}`),
    reasoningPart("The log says that it retries, so the limit must be somewhere else. ".repeat(18)),
    toolPart(`call_${id}`, output),
  ]);
}
function seedSessions(path, model, seeded) {
  const database = new Database(path);
  database.pragma("synchronous = OFF");
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('session_v2')")
    .all()
    .map(({ name: name2 }) => `"${name2}"`);
  const session = database.prepare(
    `INSERT INTO session_v2 (${columns}) SELECT ${columns.map((name2) => (name2 === '"id"' ? "?" : name2))}
     FROM session_v2 WHERE id = ?`,
  );
  const sequence = database.prepare("INSERT INTO event_sequence VALUES (?, ?, NULL)");
  const message = database.prepare("INSERT INTO session_message VALUES (?, ?, 'assistant', ?, ?, ?, ?)");
  for (let at2 = 0; at2 < seeded.sessions; at2 += 1) {
    const sessionID2 = `${seeded.prefix}_${String(at2).padStart(5, "0")}`;
    database.transaction(() => {
      session.run(sessionID2, model);
      sequence.run(sessionID2, seeded.messages);
      for (let seq = 1; seq <= seeded.messages; seq += 1) {
        const id = `msg_${sessionID2}_${String(seq).padStart(6, "0")}`;
        const { id: _, type: __, ...stored } = agentMessage(id, seeded.bytes);
        message.run(id, sessionID2, seq, seq, seq, JSON.stringify(stored));
      }
    })();
  }
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

// test/bench/reads/table.ts
var HEADINGS = ["what", "figures", "result", "wanted", "", "limit: bare SQLite on the same rows"];
function printTable(lines) {
  const rows = [
    HEADINGS,
    ...lines.map((line) => [
      line.what,
      line.figures,
      line.result,
      line.wanted,
      line.reached ? "ok" : "MISSED",
      line.limit,
    ]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const [at2, row] of rows.entries()) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
    if (at2 === 0) console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  }
}
var ms = (value) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
var mb = (value) => `${(value / 1e6).toFixed(1)} MB`;
var times = (value) => `${value.toFixed(1)} x`;

// test/bench/reads/batch.ts
var BYTES = 15e3;
var INDEXES = [1, 2];
async function seed(bench, sessionID2, count3) {
  const messages = Array.from({ length: count3 }, (_, at2) =>
    agentMessage(`msg_${sessionID2}_${at2}`, BYTES),
  );
  await bench.importSession(sessionID2, messages);
  return messages.map((message) => ({
    messageID: message.id,
    revision: revisionOf(message.content),
    indexes: INDEXES,
  }));
}
async function benchBatch(bench, count3) {
  const took = { one: 0, batch: 0, bulk: 0 };
  const [warm] = await seed(bench, "ses_warm", 1);
  await bench.rpc("prune", { sessionID: "ses_warm", ...warm });
  const one = await seed(bench, "ses_one", count3);
  took.one = await timed(async () => {
    for (const request of one) {
      expectPruned([(await bench.rpc("prune", { sessionID: "ses_one", ...request })).body.output]);
    }
  });
  const sixteens = await seed(bench, "ses_sixteen", count3);
  took.batch = await timed(async () => {
    for (let at2 = 0; at2 < sixteens.length; at2 += 16) {
      const candidates = sixteens
        .slice(at2, at2 + 16)
        .map(({ messageID: messageID2, revision: revision2 }) => ({
          messageID: messageID2,
          revision: revision2,
          toolCount: 1,
          reasoningCount: 1,
        }));
      const { body } = await bench.rpc("pruneBatch", { sessionID: "ses_sixteen", candidates });
      expectPruned(body.output.results.map((one2) => one2.result));
    }
  });
  const bulk = await seed(bench, "ses_bulk", count3);
  const copy = join5(bench.daemon.home, "copy.db");
  checkpoint(bench.daemon.database);
  copyFileSync(bench.daemon.database, copy);
  took.bulk = await timed(async () => {
    let left = bulk;
    while (left.length > 0) {
      const { body } = await bench.rpc("pruneBulk", { sessionID: "ses_bulk", requests: left });
      expectPruned(body.output.results.map((one2) => one2.result));
      left = left.slice(body.output.results.length);
    }
  });
  const bare = rawUpdates(copy, bulk);
  const limit = `${ms(bare)} for the updates alone, a transaction each`;
  return [
    {
      what: `cleaning ${count3} messages of 15 KB: pruneBulk beside one prune each`,
      figures: `${ms(took.bulk)}, ${ms(took.one)}`,
      result: `${times(took.one / took.bulk)} faster`,
      wanted: "at least 5 x",
      reached: took.one / took.bulk >= 5,
      limit: `${limit}: ${times(took.bulk / bare)}`,
    },
    {
      what: "  pruneBatch of the published contract, 16 at a time",
      figures: `${ms(took.batch)}, ${ms(took.one)}`,
      result: `${times(took.one / took.batch)} faster`,
      wanted: "",
      reached: true,
      limit: `${limit}: ${times(took.batch / bare)}`,
    },
  ];
}
async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
function expectPruned(results) {
  const other = results.find((result) => result.status !== "pruned");
  if (other) throw new Error(`A message was not pruned: ${JSON.stringify(other)}`);
}
function checkpoint(path) {
  const database = new Database2(path, { timeout: 5e3 });
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}
function rawUpdates(path, requests) {
  const database = new Database2(path);
  database.pragma("journal_mode = WAL");
  const update = database.prepare(
    "UPDATE session_message SET data = json_remove(data, '$.content[2]', '$.content[1]') WHERE id = ?",
  );
  const started = performance.now();
  for (const { messageID: messageID2 } of requests) database.transaction(() => update.run(messageID2))();
  const took = performance.now() - started;
  database.close();
  return took;
}

// test/bench/reads/outline.ts
import Database3 from "better-sqlite3";

// src/opencode/errors.ts
var OpenCodeError = class extends Error {
  name = "OpenCodeError";
};
var UnreachableError = class extends OpenCodeError {
  constructor(baseUrl, reason, mayHaveArrived) {
    super(
      `The OpenCode server at ${baseUrl} could not be reached (${reason}); check that it runs (\`opencode service start\`), or name another with --server.`,
    );
    this.baseUrl = baseUrl;
    this.reason = reason;
    this.mayHaveArrived = mayHaveArrived;
  }
  baseUrl;
  reason;
  mayHaveArrived;
  name = "UnreachableError";
};
var UnauthorisedError = class extends OpenCodeError {
  constructor(baseUrl) {
    super(
      `The server at ${baseUrl} refused the password; set OPENCODE_SERVER_PASSWORD to the one that it was started with.`,
    );
    this.baseUrl = baseUrl;
  }
  baseUrl;
  name = "UnauthorisedError";
};
var NotFoundError = class extends OpenCodeError {
  constructor(tag, message) {
    super(message);
    this.tag = tag;
  }
  tag;
  name = "NotFoundError";
};
var RpcRefusedError = class extends OpenCodeError {
  constructor(type, message) {
    super(message);
    this.type = type;
  }
  type;
  name = "RpcRefusedError";
};
var MalformedError = class extends OpenCodeError {
  constructor(baseUrl, call, path, reason) {
    super(
      `The server at ${baseUrl} answered ${call} with something unexpected${path === "" ? "" : ` at ${path}`} (${reason}); check that it is an OpenCode 2 server, and update opencode-prune.`,
    );
    this.baseUrl = baseUrl;
    this.call = call;
    this.path = path;
  }
  baseUrl;
  call;
  path;
  name = "MalformedError";
};
var AbortedError = class extends OpenCodeError {
  constructor(call) {
    super(`${call} was stopped before the answer came; start it again when it is wanted.`);
    this.call = call;
  }
  call;
  name = "AbortedError";
};
var ServerError = class extends OpenCodeError {
  constructor(status, tag, message) {
    super(message);
    this.status = status;
    this.tag = tag;
  }
  status;
  tag;
  name = "ServerError";
};

// src/opencode/event-stream.ts
import { createParser } from "eventsource-parser";

// src/opencode/issue.ts
function describeIssue(error) {
  const issue = error.issues[0];
  if (issue === void 0) return { path: "", reason: "unexpected shape" };
  return { path: memberPath(issue.path), reason: issue.message.replace(/^Invalid input: /, "") };
}
function memberPath(path) {
  return path
    .map((step, position) =>
      typeof step === "number" ? `[${step}]` : `${position === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

// src/opencode/schemas.ts
import { z as z7 } from "zod";

var ServerInfo = z7.looseObject({
  version: z7.string(),
  pid: z7.number(),
  urls: z7.array(z7.string()),
});
var Location = z7.looseObject({ directory: z7.string() });
var Session = z7.looseObject({
  id: z7.string().min(1),
  parentID: z7.string().optional(),
  projectID: z7.string(),
  title: z7.string().optional(),
  outcome: z7.string().optional(),
  /** Milliseconds since the epoch. */
  time: z7.looseObject({
    created: z7.number(),
    updated: z7.number(),
    idle: z7.number().optional(),
    archived: z7.number().optional(),
  }),
  location: Location,
  /** Present while a revert is staged. */
  revert: z7.unknown().optional(),
});
var Cursor = z7.looseObject({ previous: z7.string().nullish(), next: z7.string().nullish() });
var SessionPage = z7.looseObject({ data: z7.array(Session), cursor: Cursor });
var SessionAnswer = z7.looseObject({ data: Session });
var ActiveAnswer = z7.looseObject({
  data: z7.record(z7.string(), z7.looseObject({ type: z7.string() })),
});
var Part = z7.looseObject({ type: z7.string() });
var Content = z7.array(Part);
var Message = z7
  .looseObject({
    id: z7.string().min(1),
    type: z7.string(),
    time: z7.looseObject({ created: z7.number(), completed: z7.number().optional() }),
  })
  .superRefine((message, context) => {
    if (message.type !== "assistant") return;
    const content = Content.safeParse(message.content);
    for (const { path, message: reason } of content.error?.issues ?? []) {
      context.addIssue({ code: "custom", path: ["content", ...path], message: reason });
    }
  });
var MessagePage = z7.looseObject({ data: z7.array(Message), cursor: Cursor });
var MessageAnswer = z7.looseObject({ data: Message });
var RpcAnswer = z7.looseObject({ output: z7.unknown() });
var ConfigEntries = z7.array(z7.looseObject({ type: z7.string(), path: z7.string().optional() }));
var PluginInfo = z7.looseObject({
  /** Absent while a plugin could not be loaded far enough to say its id. */
  id: z7.string().optional(),
  source: z7.looseObject({ type: z7.string(), path: z7.string().optional() }),
  state: z7.looseObject({ status: z7.string(), error: z7.string().optional() }),
});
var PluginAnswer = z7.looseObject({ data: z7.array(PluginInfo) });
var OpenCodeEvent = z7.looseObject({
  id: z7.string(),
  type: z7.string(),
  /** Milliseconds since the epoch. */
  created: z7.number().optional(),
  location: Location.optional(),
  /** On native events that change stored state: the session, and its own count. */
  durable: z7.looseObject({ aggregateID: z7.string(), seq: z7.number() }).optional(),
  data: z7.unknown(),
});

// src/opencode/event-stream.ts
var REQUEST = { method: "GET", path: "/api/event" };
var CALL = "GET /api/event";
var MAX_EVENT = 128 * 1024 * 1024;
async function* subscribe(http, options) {
  const { wants, onAlive } = options;
  const leave = new AbortController();
  const onAbort = () => leave.abort();
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const body = await http.stream(REQUEST, leave.signal);
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const waiting = [];
    let tooLarge = false;
    const parser = createParser({
      maxBufferSize: MAX_EVENT,
      onEvent: ({ data }) => {
        const type = wants && typeOf(data);
        if (type === void 0 || wants?.(type)) waiting.push(data);
      },
      onError: (error) => {
        tooLarge ||= error.type === "max-buffer-size-exceeded";
      },
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onAlive?.();
      parser.feed(decoder.decode(value, { stream: true }));
      if (tooLarge) throw new MalformedError(http.baseUrl, CALL, "", "an event without an end");
      for (const data of waiting) {
        const event = parse(http, data);
        if (wants?.(event.type) !== false) yield event;
      }
      waiting.length = 0;
    }
  } catch (error) {
    throw http.broken(error, CALL, leave.signal);
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    leave.abort();
  }
}
var TYPE = /^\{"id":"[^"\\]*",(?:"created":[\d.]+,)?"type":"([^"\\]*)"/;
function typeOf(data) {
  return TYPE.exec(data)?.[1];
}
function parse(http, data) {
  let value;
  try {
    value = JSON.parse(data);
  } catch {
    throw new MalformedError(http.baseUrl, CALL, "", "an event that is not JSON");
  }
  const result = OpenCodeEvent.safeParse(value);
  if (result.success) return value;
  const { path, reason } = describeIssue(result.error);
  throw new MalformedError(http.baseUrl, CALL, path, reason);
}

// src/opencode/http.ts
var Http = class {
  baseUrl;
  #headers;
  #timeout;
  constructor(options) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#headers = options.headers ?? {};
    this.#timeout = options.timeout;
  }
  /** The parsed answer. It is checked, never rebuilt: members that the schema does not know stay as they came. */
  async json(schema, request, options = {}) {
    const call = `${request.method} ${request.path}`;
    const limit = new Limit(options.signal, options.timeout ?? this.#timeout);
    try {
      const response = await this.#fetch(request, "application/json", limit.signal);
      const text = await response.text();
      if (!response.ok) throw this.#refusal(call, response.status, text);
      return this.#parse(schema, call, text);
    } catch (error) {
      throw this.#typed(error, call, limit);
    } finally {
      limit.clear();
    }
  }
  /** Opens a response that is read as a stream. `signal` ends it at any time. */
  async stream(request, signal) {
    const call = `${request.method} ${request.path}`;
    const limit = new Limit(signal, this.#timeout);
    try {
      const response = await this.#fetch(request, "text/event-stream", limit.signal);
      if (!response.ok) throw this.#refusal(call, response.status, await response.text());
      const type = response.headers.get("content-type") ?? "nothing";
      if (!response.body || !type.startsWith("text/event-stream")) {
        throw new MalformedError(this.baseUrl, call, "", `expected an event stream, received ${type}`);
      }
      return response.body;
    } catch (error) {
      limit.clear();
      throw this.#typed(error, call, limit);
    } finally {
      limit.stopClock();
    }
  }
  /** The typed error for a stream that broke. */
  broken(error, call, signal) {
    if (signal.aborted) return new AbortedError(call);
    return error instanceof OpenCodeError
      ? error
      : new UnreachableError(this.baseUrl, networkReason(error), true);
  }
  #fetch(request, accept, signal) {
    const url = new URL(`${this.baseUrl}${request.path}`);
    for (const [name2, value] of Object.entries(request.query ?? {})) {
      if (value !== void 0) url.searchParams.set(name2, String(value));
    }
    return fetch(url, {
      method: request.method,
      headers: {
        ...this.#headers,
        accept,
        ...(request.body === void 0 ? {} : { "content-type": "application/json" }),
      },
      ...(request.body === void 0 ? {} : { body: JSON.stringify(request.body) }),
      redirect: "manual",
      signal,
    });
  }
  #parse(schema, call, text) {
    const value = fromJson(text);
    if (value === NOT_JSON) throw new MalformedError(this.baseUrl, call, "", "expected JSON");
    const result = schema.safeParse(value);
    if (!result.success) {
      const { path, reason } = describeIssue(result.error);
      throw new MalformedError(this.baseUrl, call, path, reason);
    }
    return value;
  }
  #refusal(call, status, text) {
    const { tag, type, message } = readRefusal(text);
    if (status === 401 || status === 403) return new UnauthorisedError(this.baseUrl);
    if (status === 404) {
      return tag === ""
        ? new NotFoundError(
            "",
            `The server at ${this.baseUrl} does not know ${call}; check that it is an OpenCode 2 server.`,
          )
        : new NotFoundError(tag, `${message}; it may have been deleted, so list again.`);
    }
    if (tag === "RpcError") {
      return new RpcRefusedError(
        type,
        `The server at ${this.baseUrl} refused ${call} (${type}: ${message}); look at the plugin with \`opencode-prune plugin status\`.`,
      );
    }
    if (tag === "RpcInternalError") {
      return new RpcRefusedError(
        "rpc.internal",
        `The plugin failed inside the server at ${this.baseUrl} on ${call}; look at the server's log.`,
      );
    }
    if (status >= 300 && status < 400) {
      return new ServerError(
        status,
        "",
        `The server at ${this.baseUrl} redirects ${call} elsewhere; name the address that it redirects to with --server.`,
      );
    }
    return new ServerError(
      status,
      tag,
      `The server at ${this.baseUrl} refused ${call} with status ${status}${message === "" ? "" : ` (${message})`}; look at the server's log.`,
    );
  }
  #typed(error, call, limit) {
    if (error instanceof OpenCodeError) return error;
    if (limit.aborted) return new AbortedError(call);
    if (limit.timedOut) {
      const seconds = Math.round(limit.timeout / 1e3);
      return new UnreachableError(this.baseUrl, `no answer within ${seconds} s`, true);
    }
    return new UnreachableError(this.baseUrl, networkReason(error), !neverConnected(error));
  }
};
var Limit = class {
  constructor(caller, timeout) {
    this.timeout = timeout;
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.#controller.abort();
    }, timeout);
    if (caller?.aborted) this.#controller.abort();
    else caller?.addEventListener("abort", this.#onAbort, { once: true });
  }
  timeout;
  #controller = new AbortController();
  #caller;
  #timer;
  #onAbort = () => this.#controller.abort();
  timedOut = false;
  get signal() {
    return this.#controller.signal;
  }
  get aborted() {
    return this.#caller?.aborted ?? false;
  }
  stopClock() {
    clearTimeout(this.#timer);
  }
  clear() {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }
};
var NOT_JSON = /* @__PURE__ */ Symbol("not JSON");
function fromJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}
function readRefusal(text) {
  const body = fromJson(text);
  const members = body !== null && typeof body === "object" ? body : {};
  const member = (name2) => (typeof members[name2] === "string" ? members[name2] : "");
  const message = (member("message").split("\n", 1)[0] ?? "").slice(0, 200).replace(/[.\s]+$/, "");
  return { tag: member("_tag"), type: member("type"), message };
}
var NEVER_CONNECTED = /* @__PURE__ */ new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "BAD_PORT",
]);
function neverConnected(error) {
  return NEVER_CONNECTED.has(networkCode(error));
}
var REASONS = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  BAD_PORT: "the port is reserved for another protocol",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};
function networkReason(error) {
  const code = networkCode(error);
  return REASONS[code] ?? (code === "" ? "the connection failed" : code);
}
function networkCode(error) {
  for (let at2 = error; at2 instanceof Error; ) {
    const { code } = at2;
    if (typeof code === "string" && code !== "") return code;
    if (at2.message === "bad port") return "BAD_PORT";
    at2 = at2 instanceof AggregateError ? at2.errors[0] : at2.cause;
  }
  return "";
}

// src/opencode/client.ts
var DEFAULT_TIMEOUT = 6e4;
var OpenCode = {
  make(options) {
    const http = new Http({ ...options, timeout: options.timeout ?? DEFAULT_TIMEOUT });
    return {
      baseUrl: http.baseUrl,
      server: {
        info: (call) => http.json(ServerInfo, get("/api/info"), call),
      },
      session: {
        list: (input = {}, call) => http.json(SessionPage, get("/api/session", { ...input }), call),
        get: async ({ sessionID: sessionID2 }, call) =>
          (await http.json(SessionAnswer, get(`/api/session/${segment(sessionID2)}`), call)).data,
        active: async (call) => (await http.json(ActiveAnswer, get("/api/session/active"), call)).data,
        message: async ({ sessionID: sessionID2, messageID: messageID2 }, call) => {
          const path = `/api/session/${segment(sessionID2)}/message/${segment(messageID2)}`;
          return (await http.json(MessageAnswer, get(path), call)).data;
        },
      },
      message: {
        list: async ({ sessionID: sessionID2, ...query }, call) =>
          http.json(MessagePage, get(`/api/session/${segment(sessionID2)}/message`, query), call),
      },
      rpc: {
        call: async ({ rpcID, method, input, location }, call) =>
          http.json(
            RpcAnswer,
            {
              method: "POST",
              path: `/api/rpc/${segment(rpcID)}/${segment(method)}`,
              query: at(location),
              body: { input },
            },
            call,
          ),
      },
      event: {
        subscribe: (call = {}) => subscribe(http, call),
      },
      config: {
        get: (input = {}, call) => http.json(ConfigEntries, get("/api/config", at(input.location)), call),
      },
      plugin: {
        list: (input = {}, call) => http.json(PluginAnswer, get("/api/plugin", at(input.location)), call),
      },
    };
  },
};
function passwordHeaders(password) {
  return { authorization: `Basic ${Buffer.from(`opencode:${password}`, "utf8").toString("base64")}` };
}
function get(path, query = {}) {
  return { method: "GET", path, query };
}
function at(location) {
  return location === void 0 ? {} : { "location[directory]": location.directory };
}
function segment(id) {
  if (id === "" || id === "." || id === "..")
    throw new NotFoundError("", `"${id}" is not an id; name another.`);
  return encodeURIComponent(id);
}

// src/opencode/discovery.ts
import { z as z8 } from "zod";

var Registration = z8.looseObject({
  version: z8.string(),
  url: z8.string(),
  pid: z8.number(),
  password: z8.string().min(1),
});

// test/bench/reads/measure.ts
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

async function shortest(runs, work) {
  let best = Number.POSITIVE_INFINITY;
  for (let run2 = 0; run2 < runs; run2 += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
function residentMemory(pid) {
  const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}
async function peakMemory(pid, work) {
  let peak = residentMemory(pid);
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, 20);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(watch);
  }
}
var Pings = class {
  #worker;
  constructor({ daemon }) {
    const authorization = `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`;
    this.#worker = new Worker(new URL("./ping-worker.js", import.meta.url), {
      workerData: { url: daemon.url, authorization },
    });
  }
  /** The delays since the last call, in milliseconds, shortest first. */
  async take() {
    const delays = new Promise((resolve) => this.#worker.once("message", resolve));
    this.#worker.postMessage("take");
    return (await delays).sort((one, other) => one - other);
  }
  async end() {
    await this.#worker.terminate();
  }
};
function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

// test/bench/reads/outline.ts
function clientOf({ daemon }) {
  return OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password), timeout: 6e5 });
}
async function outlineWhole(bench, sessionID2) {
  const client = clientOf(bench);
  const messages = [];
  let cursor2 = null;
  do {
    const input = { sessionID: sessionID2, ...(cursor2 === null ? {} : { cursor: cursor2 }) };
    const { output } = await client.rpc.call({
      rpcID: READING_RPC,
      method: "outline",
      input,
      location: { directory: bench.directory },
    });
    const page = OutlineOutput.parse(output);
    if (page.status !== "page") throw new Error(page.reason);
    appendOutlines(messages, page.messages);
    cursor2 = page.cursor;
  } while (cursor2 !== null);
  return messages;
}
async function listWhole(bench, sessionID2) {
  const client = clientOf(bench);
  let count3 = 0;
  let cursor2;
  do {
    const page = await client.message.list({
      sessionID: sessionID2,
      limit: 200,
      ...(cursor2 === void 0 ? { order: "asc" } : { cursor: cursor2 }),
    });
    count3 += page.data.length;
    cursor2 = page.data.length < 200 ? void 0 : (page.cursor.next ?? void 0);
  } while (cursor2 !== void 0);
  return count3;
}
async function scanPublishedWay(bench, sessionID2) {
  let count3 = 0;
  let after = -1;
  do {
    const { body } = await bench.rpc("scan", { sessionID: sessionID2, after }, { rpcID: "published-way" });
    count3 += body.output.candidates.length;
    after = body.output.after;
  } while (after !== null);
  return count3;
}
async function bytesOf(work) {
  let total = 0;
  await work((bytes) => {
    total += bytes;
  });
  return total;
}
async function benchOutline(bench) {
  const count3 = (await outlineWhole(bench, LARGE)).length;
  const same = (other) => {
    if (other !== count3) throw new Error(`${other} messages were read where there are ${count3}`);
  };
  const outline = await shortest(5, () => outlineWhole(bench, LARGE));
  const list = await shortest(3, async () => same(await listWhole(bench, LARGE)));
  const published = await shortest(2, async () => same(await scanPublishedWay(bench, LARGE)));
  const bytes = await bytesOf(async (add) => {
    let cursor2 = null;
    do {
      const input = { sessionID: LARGE, ...(cursor2 === null ? {} : { cursor: cursor2 }) };
      const { body } = await bench.rpc("outline", input, { rpcID: READING_RPC });
      add(Buffer.byteLength(JSON.stringify(body)));
      cursor2 = body.output.cursor;
    } while (cursor2 !== null);
  });
  const listed = await bytesOf(async (add) => {
    let cursor2;
    do {
      const query = cursor2 === void 0 ? "order=asc" : `cursor=${encodeURIComponent(cursor2)}`;
      const { body } = await bench.request("GET", `/api/session/${LARGE}/message?limit=200&${query}`);
      add(Buffer.byteLength(JSON.stringify(body)));
      cursor2 = body.data.length < 200 ? void 0 : body.cursor.next;
    } while (cursor2 !== void 0);
  });
  const database = new Database3(bench.daemon.database, { readonly: true });
  const parse2 = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const bare = await shortest(3, () => parse2.get(LARGE));
  database.close();
  const limit = `${ms(bare)} to parse them once (json_valid): ${times(outline / bare)}`;
  return [
    {
      what: `outline of ${count3} messages beside message.list`,
      figures: `${ms(outline)}, ${ms(list)}`,
      result: `${times(list / outline)} faster`,
      wanted: "at least 8 x",
      reached: list / outline >= 8,
      limit,
    },
    {
      what: "  bytes over the wire",
      figures: `${mb(bytes)}, ${mb(listed)}`,
      result: `${((100 * bytes) / listed).toFixed(2)} %`,
      wanted: "at most 3 %",
      reached: bytes / listed <= 0.03,
      limit: "",
    },
    {
      what: "  beside a scan in the published plugin's way",
      figures: `${ms(outline)}, ${ms(published)}`,
      result: `${times(published / outline)} faster`,
      wanted: "at least 15 x",
      reached: published / outline >= 15,
      limit,
    },
  ];
}

// test/bench/reads/published-way.ts
import { mkdir as mkdir3, writeFile } from "node:fs/promises";
import { fileURLToPath as fileURLToPath3 } from "node:url";
import { build as build2 } from "esbuild";

var PLUGIN = `
import { DatabaseSync } from "node:sqlite";
import { revisionOf } from "./src/contract/revision.ts";
const any = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
export default { id: "published-way", async setup(ctx) {
  const database = new DatabaseSync(process.env.OPENCODE_DB, { readOnly: true });
  const rows = database.prepare("SELECT id, seq, data FROM session_message WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT 1");
  const scan = async ({ sessionID, after }) => {
    const end = performance.now() + 40;
    const candidates = [];
    for (let scanned = 0; scanned < 32 && performance.now() < end; scanned += 1) {
      const row = rows.get(sessionID, after);
      if (!row) return { candidates, after: null };
      after = row.seq;
      const message = JSON.parse(row.data);
      const technical = (message.content ?? []).filter((part) => part.type !== "text");
      candidates.push({ messageID: row.id, revision: revisionOf(message.content ?? []), count: technical.length });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { candidates, after };
  };
  const registration = await ctx.rpc.register({ id: "published-way", methods: { scan: { input: any, output: any } }, events: {} }, { scan });
  return () => registration.dispose();
} };`;
async function writePublishedWay(folder) {
  await mkdir3(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, '{"name":"published-way","type":"module","main":"./index.js"}');
  await build2({
    stdin: { contents: PLUGIN, resolveDir: fileURLToPath3(new URL("../../..", import.meta.url)) },
    outfile: `${folder}/index.js`,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
  });
  return folder;
}

// test/bench/reads/responsiveness.ts
import Database4 from "better-sqlite3";

var IDLE = 5e3;
async function benchResponsiveness(bench) {
  const { pid } = bench.daemon;
  const pings = new Pings(bench);
  await outlineWhole(bench, HUGE);
  await pings.take();
  const memory = residentMemory(pid);
  const idle = [];
  const busy = [];
  const took = [];
  let peak = 0;
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, IDLE));
    idle.push(...(await pings.take()));
    const started = performance.now();
    const [, most] = await peakMemory(pid, () => outlineWhole(bench, HUGE));
    took.push(performance.now() - started);
    busy.push(...(await pings.take()));
    peak = Math.max(peak, most);
  }
  await pings.end();
  const sorted = (delays) => delays.sort((one, other) => one - other);
  const [longestIdle, longestBusy] = [sorted(idle).at(-1) ?? 0, sorted(busy).at(-1) ?? 0];
  const database = new Database4(bench.daemon.database, { readonly: true });
  const [{ bytes }] = database
    .prepare("SELECT sum(octet_length(data)) AS bytes FROM session_message WHERE session_id = ?")
    .all(HUGE);
  const parse2 = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const bare = await shortest(2, () => parse2.get(HUGE));
  database.close();
  const outline = Math.min(...took);
  return [
    {
      what: `longest delay of /api/info while ${(bytes / 1e9).toFixed(2)} GB are outlined`,
      figures: `${ms(longestBusy)}, idle ${ms(longestIdle)}; 99 %: ${ms(percentile(busy, 0.99))}, ${ms(percentile(idle, 0.99))}`,
      result: `${ms(longestBusy - longestIdle)} more`,
      wanted: "within 15 ms",
      reached: longestBusy - longestIdle <= 15,
      limit: `${ms(bare)} to parse them once; the outline took ${ms(outline)}: ${times(outline / bare)}`,
    },
    {
      what: "  the daemon's memory meanwhile",
      figures: `${memory.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most`,
      result: `${(peak - memory).toFixed(0)} MiB more`,
      wanted: "flat: at most 64 MiB more",
      reached: peak - memory <= 64,
      limit: "",
    },
  ];
}

// test/bench/reads/scaling.ts
import Database5 from "better-sqlite3";

var SIZES = [1, 4, 16];
async function benchScaling(bench, messages) {
  const sessions = SIZES.map((size) => ({
    size,
    id: `ses_scale_${size}`,
    count: Math.round((messages * size) / 16),
  }));
  for (const { id, count: count3 } of sessions) {
    const all = Array.from({ length: count3 }, (_, at2) => agentMessage(`msg_${id}_${at2}`, 13e3));
    await bench.importSession(id, all);
  }
  const { pid } = bench.daemon;
  const reads = {
    outline: (id) => outlineWhole(bench, id),
    fingerprint: (id) => bench.rpc("fingerprint", { sessionIDs: [id] }, { rpcID: READING_RPC }),
    "history (stats)": (id) => statsOf(bench, id),
  };
  const database = new Database5(bench.daemon.database, { readonly: true });
  const parse2 = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const lines = [];
  for (const [name2, read] of Object.entries(reads)) {
    const took = [];
    const bare = [];
    let before = 0;
    let peak = 0;
    for (const { id } of sessions) {
      await read(id);
      before = residentMemory(pid);
      const [time, most] = await peakMemory(pid, () => shortest(4, () => read(id)));
      took.push(time);
      bare.push(await shortest(3, () => parse2.get(id)));
      peak = most;
    }
    const [one = 1, , sixteen = 1] = took;
    lines.push({
      what: `${name2} of a history 1, 4, 16 times as long`,
      figures: `${took.map(ms).join(", ")}; memory ${before.toFixed(0)} to ${peak.toFixed(0)} MiB`,
      result: `${times(sixteen / one)} for 16 x, ${(peak - before).toFixed(0)} MiB more`,
      wanted: "linear: at most 20 x; flat: 32 MiB",
      reached: sixteen / one <= 20 && peak - before <= 32,
      limit: `${bare.map(ms).join(", ")} to parse them once`,
    });
  }
  database.close();
  return lines;
}
async function statsOf(bench, sessionID2) {
  let cursor2 = null;
  do {
    const input = {
      sessionID: sessionID2,
      purpose: "stats",
      ...(cursor2 === null ? {} : { cursor: cursor2 }),
    };
    const { body } = await bench.rpc(HISTORY_METHOD, input, { rpcID: PRUNING_RPC });
    cursor2 = body.output.cursor;
  } while (cursor2 !== null);
}

// test/bench/reads/usage.ts
import Database6 from "better-sqlite3";

async function usageOfAll(bench) {
  const client = clientOf(bench);
  let sessions = 0;
  let bytes = 0;
  let cursor2 = null;
  do {
    const input = cursor2 === null ? {} : { cursor: cursor2 };
    const { output } = await client.rpc.call({
      rpcID: READING_RPC,
      method: "usage",
      input,
      location: { directory: bench.directory },
    });
    const page = UsageOutput.parse(output);
    if (page.status !== "page") throw new Error(page.reason);
    sessions += page.sessions.length;
    bytes += page.sessions.reduce((total, session) => total + session.storedBytes, 0);
    cursor2 = page.cursor;
  } while (cursor2 !== null);
  return { sessions, bytes };
}
async function benchUsage(bench) {
  const database = new Database6(bench.daemon.database, { readonly: true });
  const sum = database.prepare("SELECT sum(octet_length(data)) AS bytes FROM session_message");
  const bySession = database.prepare(
    "SELECT session_id, count(*), sum(octet_length(data)), max(seq) FROM session_message GROUP BY session_id",
  );
  const total = await usageOfAll(bench);
  if (total.bytes !== sum.get()?.bytes) throw new Error("usage does not add up to what is stored");
  const usage = await shortest(3, () => usageOfAll(bench));
  const bare = await shortest(3, () => sum.get());
  const grouped = await shortest(3, () => bySession.all());
  database.close();
  return [
    {
      what: `usage of ${total.sessions} sessions, ${(total.bytes / 1e9).toFixed(2)} GB`,
      figures: `${ms(usage)}, ${ms(bare)}`,
      result: times(usage / bare),
      wanted: "under 10 x the bare sum",
      reached: usage / bare < 10,
      limit: `${ms(bare)} sum(octet_length(data)); grouped by session ${ms(grouped)}`,
    },
  ];
}

// test/bench/reads/reads.bench.ts
var LARGE = "ses_large";
var HUGE = "ses_huge_00000";
var MESSAGE_BYTES = 13e3;
async function benchmark(scale) {
  const { OPENCODE_BIN } = process.env;
  if (!OPENCODE_BIN || !existsSync(OPENCODE_BIN)) {
    throw new Error("There is no OpenCode runtime; run `npm run runtime`, or set OPENCODE_BIN.");
  }
  const folder = await mkdtemp4(join6(tmpdir4(), "opencode-prune-bench-"));
  const bench = await startPruningDaemon({
    parent: folder,
    plugins: [await writePublishedWay(join6(folder, "published-way"))],
  });
  try {
    const messages = Math.round(8e3 * scale);
    console.log(
      `Seeding ${messages} messages, a session of ${Math.round(1e3 * scale)} MB, and ${5 * scale} GB.`,
    );
    await bench.importSession(
      LARGE,
      Array.from({ length: messages }, (_, at2) =>
        agentMessage(`msg_${String(at2).padStart(26, "0")}`, MESSAGE_BYTES),
      ),
    );
    const lines = [];
    lines.push(...(await benchOutline(bench)));
    lines.push(...(await benchScaling(bench, messages)));
    lines.push(...(await benchBatch(bench, Math.round(1e3 * scale))));
    await bench.daemon.stop();
    const { database } = bench.daemon;
    seedSessions(database, LARGE, {
      prefix: "ses_huge",
      sessions: 1,
      messages: Math.round(76e3 * scale),
      bytes: MESSAGE_BYTES,
    });
    seedSessions(database, LARGE, {
      prefix: "ses_many",
      sessions: Math.round(5e3 * scale),
      messages: 72,
      bytes: 14e3,
    });
    await bench.daemon.start();
    lines.push(...(await benchResponsiveness(bench)));
    lines.push(...(await benchUsage(bench)));
    printTable(lines);
  } finally {
    await bench.remove();
    await rm4(folder, { recursive: true, force: true });
  }
}

export { benchmark, HUGE, LARGE };
