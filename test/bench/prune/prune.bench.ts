import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { revisionOf } from "../../../src/contract/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../../native/support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../../native/support/pruning-daemon.ts";

interface Kind {
  readonly name: string;
  readonly messages: number;
  readonly content: (at: number) => readonly object[];
}

const LOG_LINE = 'src/app/server.ts:120:14 - note: "retry" after 250 ms\n';
const log = (bytes: number) => LOG_LINE.repeat(Math.ceil(bytes / (LOG_LINE.length + 3)));

/** A message of about so many bytes, most of them a tool's output. */
const message = (bytes: number) => (at: number) => [
  textPart(`Looking at ${at}. ${"I say what I do. ".repeat(10)}`),
  toolPart(`call_${at}`, log(bytes - 1_500)),
  reasoningPart("The log says that it retries. ".repeat(30)),
  textPart("It retries."),
];

const KINDS: readonly Kind[] = [
  { name: "15 KB", messages: 1000, content: message(15_000) },
  { name: "1 MB", messages: 30, content: message(1_000_000) },
  { name: "15 MB", messages: 4, content: message(15_000_000) },
  {
    name: "100,000 parts",
    messages: 3,
    content: (at) => [
      textPart(`The one that stays of ${at}.`),
      ...Array.from({ length: 100_000 }, (_, part) => reasoningPart(`${part}`)),
    ],
  },
];
const WARM_UP = 50;
const SESSION_BYTES = 14_000_000;
const BARE_CALLS = 300;

interface Row {
  readonly kind: string;
  readonly messages: number;
  readonly rpc: number;
  readonly raw: number;
  readonly silence: number;
}

interface Target {
  readonly request: {
    readonly sessionID: string;
    readonly messageID: string;
    readonly revision: string;
    readonly indexes: readonly number[];
  };
}

/** Prints messages a second through the RPC, one at a time, beside the bare update of the same rows. */
export async function benchmark(root: string): Promise<void> {
  const pruning = await startPruningDaemon({ root });
  const watch = watchResponsiveness(pruning);
  try {
    const rows: Row[] = [];
    await watch.longest();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const idle = await watch.longest();
    const bare = await bareCalls(pruning);
    const wanted = process.argv[2] ?? "";
    const kinds = KINDS.filter((kind) => kind.name.includes(wanted));
    for (const [at, kind] of kinds.entries()) rows.push(await measure(pruning, kind, at, watch));
    print(rows, idle, bare);
  } finally {
    await watch.end();
    await pruning.remove();
  }
}

async function measure(
  pruning: PruningDaemon,
  kind: Kind,
  at: number,
  watch: ReturnType<typeof watchResponsiveness>,
): Promise<Row> {
  const targets = await seed(pruning, kind, at);
  const copy = join(pruning.daemon.home, `copy-${at}.db`);
  const source = new Database(pruning.daemon.database);
  source.pragma("wal_checkpoint(TRUNCATE)");
  source.close();
  copyFileSync(pruning.daemon.database, copy);

  const warmUp = kind.messages > WARM_UP * 2 ? WARM_UP : 1;
  for (const target of targets.slice(0, warmUp)) await prune(pruning, target);
  await watch.longest();
  const started = performance.now();
  for (const target of targets.slice(warmUp)) await prune(pruning, target);
  const elapsed = performance.now() - started;
  const silence = await watch.longest();

  const counted = targets.length - warmUp;
  return {
    kind: kind.name,
    messages: counted,
    rpc: (counted / elapsed) * 1000,
    raw: rawUpdates(copy, pruning.daemon.database, targets.slice(warmUp)),
    silence,
  };
}

/** Imports the messages, in sessions small enough for one call each. */
async function seed(pruning: PruningDaemon, kind: Kind, at: number): Promise<readonly Target[]> {
  const targets: Target[] = [];
  let session = 0;
  let messages: unknown[] = [];
  let bytes = 0;
  const flush = async () => {
    // The connection may have been closed while the messages were made; a body that large is not sent twice.
    await pruning.request("GET", "/api/info").catch(() => undefined);
    if (messages.length > 0) await pruning.importSession(`ses_bench${at}_${session}`, messages);
    session += 1;
    messages = [];
    bytes = 0;
  };
  for (let number = 0; number < kind.messages; number += 1) {
    const messageID = `msg_bench${at}_${number}`;
    const content = kind.content(number);
    const indexes = content.flatMap((part, index) =>
      (part as { type: string }).type === "text" ? [] : [index],
    );
    const sessionID = `ses_bench${at}_${session}`;
    messages.push(assistantMessage(messageID, content));
    targets.push({ request: { sessionID, messageID, revision: revisionOf(content), indexes } });
    bytes += JSON.stringify(content).length;
    if (bytes > SESSION_BYTES) await flush();
  }
  await flush();
  return targets;
}

async function prune(pruning: PruningDaemon, { request }: Target): Promise<void> {
  const answer = await pruning.rpc("prune", request);
  if (answer.body.output?.status !== "pruned")
    throw new Error(`A prune answered ${JSON.stringify(answer.body)}.`);
}

/** What the round trip costs: previews of a message that does not exist, a second. */
async function bareCalls(pruning: PruningDaemon): Promise<number> {
  const nothing = { sessionID: "ses_none", messageID: "msg_none" };
  const started = performance.now();
  for (let call = 0; call < BARE_CALLS; call += 1) await pruning.rpc("preview", nothing);
  return (BARE_CALLS / (performance.now() - started)) * 1000;
}

/** Writes what the plugin left into the rows of a copy, one transaction each, as durable as the plugin's. */
function rawUpdates(copy: string, pruned: string, targets: readonly Target[]): number {
  const source = new Database(pruned, { readonly: true });
  const select = source.prepare("SELECT data FROM session_message WHERE id = ?").pluck();
  const after = targets.map(({ request }) => [String(select.get(request.messageID)), request.messageID]);
  source.close();
  const database = new Database(copy);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  const update = database.prepare("UPDATE session_message SET data = ? WHERE id = ?");
  const started = performance.now();
  for (const row of after) update.run(...row);
  const elapsed = performance.now() - started;
  database.close();
  return (targets.length / elapsed) * 1000;
}

function watchResponsiveness(pruning: PruningDaemon) {
  const authorization = `Basic ${Buffer.from(`opencode:${pruning.daemon.password}`).toString("base64")}`;
  const worker = new Worker(new URL("./responsiveness-worker.js", import.meta.url), {
    workerData: { url: pruning.daemon.url, authorization },
  });
  return {
    longest: () =>
      new Promise<number>((resolve) => {
        worker.once("message", resolve);
        worker.postMessage("longest");
      }),
    end: () => worker.terminate(),
  };
}

function print(rows: readonly Row[], idle: number, bare: number): void {
  const cells = rows.map((row) => [
    row.kind,
    String(row.messages),
    row.rpc.toFixed(1),
    row.raw.toFixed(1),
    (row.raw / row.rpc).toFixed(1),
    row.silence.toFixed(1),
  ]);
  const head = ["message", "pruned", "RPC msg/s", "raw update/s", "raw / RPC", "longest silence ms"];
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  for (const row of [head, ...cells])
    process.stdout.write(`${row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("   ")}\n`);
  process.stdout.write(`the RPC alone, without a message to read: ${bare.toFixed(1)} calls/s\n`);
  process.stdout.write(`longest answer of the idle daemon: ${idle.toFixed(1)} ms\n`);
}
