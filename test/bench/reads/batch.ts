import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { revisionOf } from "../../../src/contract/index.ts";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { importLarge } from "./import.ts";
import { flushToDisk } from "./measure.ts";
import { agentMessage } from "./seed.ts";
import { type Line, ms, times } from "./table.ts";

const BYTES = 15_000;
const INDEXES = [1, 2];
/** Requests of one call. The plugin does as many of them as its time allows. */
const BULK = 256;
const ROUNDS = 3;

interface BenchRequest {
  readonly messageID: string;
  readonly revision: string;
  readonly indexes: readonly number[];
}

/** A fresh session, and the request that prunes each of its messages. */
async function seed(bench: PruningDaemon, sessionID: string, count: number): Promise<BenchRequest[]> {
  const messages = Array.from({ length: count }, (_, at) => agentMessage(`msg_${sessionID}_${at}`, BYTES));
  await importLarge(bench, sessionID, messages);
  await untilIdle(bench);
  return messages.map((message) => ({
    messageID: message.id,
    revision: revisionOf(message.content),
    indexes: INDEXES,
  }));
}

/**
 * Cleaning many messages through the bulk path, through pruneBatch, and with one call of prune for each: in turns,
 * after everything that writes much is done and on the disk, so that all three meet the same daemon and machine. The
 * shortest of some rounds counts, of each.
 */
export async function benchBatch(bench: PruningDaemon, count: number): Promise<Line[]> {
  // The first prune of a process is not measured.
  const [warm] = await seed(bench, "ses_warm", 1);
  await bench.rpc("prune", { sessionID: "ses_warm", ...warm });

  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      one: await seed(bench, `ses_one_${round}`, count),
      batch: await seed(bench, `ses_batch_${round}`, count),
      bulk: await seed(bench, `ses_bulk_${round}`, count),
    });
  }
  const copy = join(bench.daemon.home, "copy.db");
  checkpoint(bench.daemon.database);
  copyFileSync(bench.daemon.database, copy);
  flushToDisk(copy);
  await untilIdle(bench);

  const took = { one: Infinity, batch: Infinity, bulk: Infinity };
  for (const [round, { one, batch, bulk }] of rounds.entries()) {
    took.one = Math.min(took.one, await timed(() => pruneEach(bench, `ses_one_${round}`, one)));
    took.batch = Math.min(took.batch, await timed(() => pruneSixteens(bench, `ses_batch_${round}`, batch)));
    took.bulk = Math.min(took.bulk, await timed(() => pruneInBulk(bench, `ses_bulk_${round}`, bulk)));
  }

  const bare = Math.min(...rounds.map(({ bulk }) => rawUpdates(copy, bulk)));
  const limit = `${ms(bare)} for the updates alone, a transaction each`;
  return [
    {
      what: `cleaning ${count} messages of 15 KB: pruneBulk beside one prune each`,
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

async function pruneEach(
  bench: PruningDaemon,
  sessionID: string,
  requests: readonly BenchRequest[],
): Promise<void> {
  for (const request of requests) {
    expectPruned([(await bench.rpc("prune", { sessionID, ...request })).body.output]);
  }
}

async function pruneSixteens(
  bench: PruningDaemon,
  sessionID: string,
  requests: readonly BenchRequest[],
): Promise<void> {
  for (let at = 0; at < requests.length; at += 16) {
    const candidates = requests
      .slice(at, at + 16)
      .map(({ messageID, revision }) => ({ messageID, revision, toolCount: 1, reasoningCount: 1 }));
    const { body } = await bench.rpc("pruneBatch", { sessionID, candidates });
    expectPruned(body.output.results.map((one: { result: unknown }) => one.result));
  }
}

async function pruneInBulk(
  bench: PruningDaemon,
  sessionID: string,
  requests: readonly BenchRequest[],
): Promise<void> {
  let left = requests;
  while (left.length > 0) {
    const { body } = await bench.rpc("pruneBulk", { sessionID, requests: left.slice(0, BULK) });
    expectPruned(body.output.results.map((one: { result: unknown }) => one.result));
    left = left.slice(body.output.results.length);
  }
}

/** Waits until the daemon has done with what the import left it to do, which is no part of cleaning. */
async function untilIdle(bench: PruningDaemon): Promise<void> {
  for (let quick = 0; quick < 20; ) {
    const took = await timed(() => bench.request("GET", "/api/info").then(() => {}));
    quick = took < 10 ? quick + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function expectPruned(results: readonly { status?: string }[]): void {
  const other = results.find((result) => result.status !== "pruned");
  if (other) throw new Error(`A message was not pruned: ${JSON.stringify(other)}`);
}

function checkpoint(path: string): void {
  const database = new Database(path, { timeout: 5_000 });
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

function rawUpdates(path: string, requests: readonly BenchRequest[]): number {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  const update = database.prepare(
    "UPDATE session_message SET data = json_remove(data, '$.content[2]', '$.content[1]') WHERE id = ?",
  );
  const started = performance.now();
  for (const { messageID } of requests) database.transaction(() => update.run(messageID))();
  const took = performance.now() - started;
  database.close();
  return took;
}
