import Database from "better-sqlite3";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { Pings, peakMemory, percentile, residentMemory, shortest } from "./measure.ts";
import { outlineWhole } from "./outline.ts";
import { HUGE } from "./reads.bench.ts";
import { type Line, ms, times } from "./table.ts";

const IDLE = 5_000;

/** The longest delay of `/api/info` while the huge session is outlined, beside the longest while nothing is done. */
export async function benchResponsiveness(bench: PruningDaemon): Promise<Line[]> {
  const { pid } = bench.daemon;
  const pings = new Pings(bench);
  await outlineWhole(bench, HUGE);
  await pings.take();
  const memory = residentMemory(pid);

  const idle: number[] = [];
  const busy: number[] = [];
  const took: number[] = [];
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
  const sorted = (delays: number[]) => delays.sort((one, other) => one - other);
  const [longestIdle, longestBusy] = [sorted(idle).at(-1) ?? 0, sorted(busy).at(-1) ?? 0];

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
