import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPruningDaemon } from "../../native/support/pruning-daemon.ts";
import { benchBatch } from "./batch.ts";
import { benchOutline } from "./outline.ts";
import { writePublishedWay } from "./published-way.ts";
import { benchResponsiveness } from "./responsiveness.ts";
import { benchScaling } from "./scaling.ts";
import { agentMessage, seedSessions } from "./seed.ts";
import { type Line, printTable } from "./table.ts";
import { benchUsage } from "./usage.ts";

/** Sessions by what they are for, and their messages at a scale of 1. */
export const LARGE = "ses_large";
export const HUGE = "ses_huge_00000";
const MESSAGE_BYTES = 13_000;

/** Measures the reads of issue 4 in one run, on the real runtime, and prints the table. */
export async function benchmark(scale: number): Promise<void> {
  const { OPENCODE_BIN } = process.env;
  if (!OPENCODE_BIN || !existsSync(OPENCODE_BIN)) {
    throw new Error("There is no OpenCode runtime; run `npm run runtime`, or set OPENCODE_BIN.");
  }
  const folder = await mkdtemp(join(tmpdir(), "opencode-prune-bench-"));
  const bench = await startPruningDaemon({
    parent: folder,
    plugins: [await writePublishedWay(join(folder, "published-way"))],
  });
  try {
    const messages = Math.round(8_000 * scale);
    console.log(
      `Seeding ${messages} messages, a session of ${Math.round(1_000 * scale)} MB, and ${5 * scale} GB.`,
    );
    await bench.importSession(
      LARGE,
      Array.from({ length: messages }, (_, at) =>
        agentMessage(`msg_${String(at).padStart(26, "0")}`, MESSAGE_BYTES),
      ),
    );
    const lines: Line[] = [];
    lines.push(...(await benchOutline(bench)));
    lines.push(...(await benchScaling(bench, messages)));
    lines.push(...(await benchBatch(bench, Math.round(1_000 * scale))));

    await bench.daemon.stop();
    const { database } = bench.daemon;
    seedSessions(database, LARGE, {
      prefix: "ses_huge",
      sessions: 1,
      messages: Math.round(76_000 * scale),
      bytes: MESSAGE_BYTES,
    });
    seedSessions(database, LARGE, {
      prefix: "ses_many",
      sessions: Math.round(5_000 * scale),
      messages: 72,
      bytes: 14_000,
    });
    await bench.daemon.start();
    lines.push(...(await benchResponsiveness(bench)));
    lines.push(...(await benchUsage(bench)));
    printTable(lines);
  } finally {
    await bench.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
