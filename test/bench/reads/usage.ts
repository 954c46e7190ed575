import Database from "better-sqlite3";
import { READING_RPC, UsageOutput } from "../../../src/contract/index.ts";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { shortest } from "./measure.ts";
import { clientOf } from "./outline.ts";
import { type Line, ms, times } from "./table.ts";

async function usageOfAll(bench: PruningDaemon): Promise<{ sessions: number; bytes: number }> {
  const client = clientOf(bench);
  let sessions = 0;
  let bytes = 0;
  let cursor: string | null = null;
  do {
    const input: object = cursor === null ? {} : { cursor };
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
    cursor = page.cursor;
  } while (cursor !== null);
  return { sessions, bytes };
}

export async function benchUsage(bench: PruningDaemon): Promise<Line[]> {
  const database = new Database(bench.daemon.database, { readonly: true });
  const sum = database.prepare<[], { bytes: number }>(
    "SELECT sum(octet_length(data)) AS bytes FROM session_message",
  );
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
