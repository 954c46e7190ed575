import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { Pings, peakMemory, percentile, residentMemory, shortest } from "./measure.ts";
import { outlineWhole } from "./outline.ts";
import { HUGE } from "./reads.bench.ts";
import { type Line, ms, times } from "./table.ts";

const IDLE = 3_000;
/** Milliseconds after an outline in which a daemon collects its garbage, which is no part of what is measured next. */
const REST = 2_000;
const ROUNDS = 7;

/**
 * The longest delay of `/api/info` while the huge session is outlined, beside the longest while nothing is done: the
 * median of the rounds, since now and then the machine itself stands still for 20 to 60 ms. With few processors the
 * caller, the reading thread and the daemon's own thread also wait for each other; how much of the delay that is
 * shows in the same outline of another daemon, while this one is asked for its `/api/info`.
 */
export async function benchResponsiveness(bench: PruningDaemon, other: PruningDaemon): Promise<Line[]> {
  const { pid } = bench.daemon;
  const pings = new Pings(bench);
  for (let read = 0; read < 2; read += 1) {
    await outlineWhole(bench, HUGE);
    await outlineWhole(other, HUGE);
  }
  const memory = residentMemory(pid);

  const idle = new Rounds();
  const elsewhere = new Rounds();
  const busy = new Rounds();
  const took: number[] = [];
  let peak = 0;
  const rest = async () => {
    await sleep(REST);
    await pings.take();
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await rest();
    await sleep(IDLE);
    idle.add(await pings.take());
    await outlineWhole(other, HUGE);
    elsewhere.add(await pings.take());
    await rest();
    const started = performance.now();
    const [, most] = await peakMemory(pid, () => outlineWhole(bench, HUGE));
    took.push(performance.now() - started);
    busy.add(await pings.take());
    peak = Math.max(peak, most);
  }
  await pings.end();
  const more = busy.longest() - idle.longest();

  const database = new Database(bench.daemon.database, { readonly: true });
  const [{ bytes }] = database
    .prepare("SELECT sum(octet_length(data)) AS bytes FROM session_message WHERE session_id = ?")
    .all(HUGE) as [{ bytes: number }];
  const parse = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const bare = await shortest(2, () => parse.get(HUGE));
  database.close();
  const outline = Math.min(...took);
  return [
    {
      what: `longest delay of /api/info while ${(bytes / 1e9).toFixed(2)} GB are outlined`,
      figures: `${ms(busy.longest())} (${busy}), idle ${ms(idle.longest())} (${idle})`,
      result: `${ms(more)} more`,
      wanted: "within 15 ms",
      reached: more <= 15,
      limit: `${ms(elsewhere.longest())} (${elsewhere}) while another daemon is outlined`,
    },
    {
      what: "  how long that takes",
      figures: ms(outline),
      result: `${times(outline / bare)} the bare parse`,
      wanted: "",
      reached: true,
      limit: `${ms(bare)} to parse them once (json_valid)`,
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

/** The delays of some rounds, in milliseconds. */
class Rounds {
  readonly #longest: number[] = [];

  /** The delays of one round, shortest first. */
  add(delays: readonly number[]): void {
    this.#longest.push(delays.at(-1) ?? 0);
    this.#longest.sort((one, other) => one - other);
  }

  /** The median of the rounds' longest. */
  longest(): number {
    return percentile(this.#longest, 0.5);
  }

  toString(): string {
    return this.#longest.map((delay) => delay.toFixed(0)).join(" ");
  }
}
