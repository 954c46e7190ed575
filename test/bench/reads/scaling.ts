import Database from "better-sqlite3";
import { HISTORY_METHOD, PRUNING_RPC, READING_RPC } from "../../../src/contract/index.ts";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { importLarge } from "./import.ts";
import { peakMemory, residentMemory, shortest } from "./measure.ts";
import { outlineWhole } from "./outline.ts";
import { agentMessage } from "./seed.ts";
import { type Line, ms, times } from "./table.ts";

const SIZES = [1, 4, 16] as const;

/** The same reads of a history 1, 4 and 16 times as long, and the daemon's memory during the longest. */
export async function benchScaling(bench: PruningDaemon, messages: number): Promise<Line[]> {
  const sessions = SIZES.map((size) => ({
    size,
    id: `ses_scale_${size}`,
    count: Math.round((messages * size) / 16),
  }));
  for (const { id, count } of sessions) {
    const all = Array.from({ length: count }, (_, at) => agentMessage(`msg_${id}_${at}`, 13_000));
    await importLarge(bench, id, all);
  }
  const { pid } = bench.daemon;
  const reads = {
    outline: (id: string) => outlineWhole(bench, id),
    fingerprint: (id: string) => bench.rpc("fingerprint", { sessionIDs: [id] }, { rpcID: READING_RPC }),
    "history (stats)": (id: string) => statsOf(bench, id),
  };
  const database = new Database(bench.daemon.database, { readonly: true });
  const parse = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const lines: Line[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const took: number[] = [];
    const bare: number[] = [];
    let before = 0;
    let peak = 0;
    for (const { id } of sessions) {
      await read(id);
      before = residentMemory(pid);
      const [time, most] = await peakMemory(pid, () => shortest(4, () => read(id)));
      took.push(time);
      bare.push(await shortest(3, () => parse.get(id)));
      peak = most;
    }
    const [one = 1, , sixteen = 1] = took;
    lines.push({
      what: `${name} of a history 1, 4, 16 times as long`,
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

async function statsOf(bench: PruningDaemon, sessionID: string): Promise<void> {
  let cursor: string | null = null;
  do {
    const input: object = { sessionID, purpose: "stats", ...(cursor === null ? {} : { cursor }) };
    const { body } = await bench.rpc(HISTORY_METHOD, input, { rpcID: PRUNING_RPC });
    cursor = body.output.cursor;
  } while (cursor !== null);
}
