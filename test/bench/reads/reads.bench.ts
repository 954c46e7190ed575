import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PruningDaemon, startPruningDaemon } from "../../native/support/pruning-daemon.ts";
import { benchBatch } from "./batch.ts";
import { importLarge } from "./import.ts";
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
export async function benchmark(scale: number, parts: readonly string[]): Promise<void> {
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
    console.log(`Measuring at a scale of ${scale}.`);
    await importLarge(
      bench,
      LARGE,
      Array.from({ length: messages }, (_, at) =>
        agentMessage(`msg_${String(at).padStart(26, "0")}`, MESSAGE_BYTES),
      ),
    );
    const lines: Line[] = [];
    const run = async (part: string, work: () => Promise<Line[]>) => {
      if (parts.length === 0 || parts.includes(part)) lines.push(...(await work()));
    };
    await run("outline", () => benchOutline(bench));
    await run("scaling", () => benchScaling(bench, messages));
    await run("batch", () => benchBatch(bench, Math.round(1_000 * scale)));
    if (parts.length === 0 || parts.includes("responsiveness") || parts.includes("usage")) {
      await seedStopped(bench, scale);
    }
    await run("responsiveness", () => besideAnother(bench, folder, scale));
    await run("usage", () => benchUsage(bench));
    printTable(lines);
  } finally {
    await bench.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** With another daemon that has the huge session too. */
async function besideAnother(bench: PruningDaemon, parent: string, scale: number): Promise<Line[]> {
  const other = await startPruningDaemon({ parent });
  try {
    await importLarge(other, LARGE, [agentMessage("msg_model", MESSAGE_BYTES)]);
    await other.daemon.stop();
    seedHuge(other.daemon.database, scale);
    await other.daemon.start();
    return await benchResponsiveness(bench, other);
  } finally {
    await other.remove();
  }
}

/** A session of a gigabyte and 5,000 of a megabyte each, for the parts that need them. */
async function seedStopped(bench: PruningDaemon, scale: number): Promise<void> {
  const { database } = bench.daemon;
  await bench.daemon.stop();
  seedHuge(database, scale);
  seedSessions(database, LARGE, {
    prefix: "ses_many",
    sessions: Math.round(5_000 * scale),
    messages: 72,
    bytes: 14_000,
  });
  await bench.daemon.start();
}

function seedHuge(database: string, scale: number): void {
  seedSessions(database, LARGE, {
    prefix: "ses_huge",
    sessions: 1,
    messages: Math.round(76_000 * scale),
    bytes: MESSAGE_BYTES,
  });
}
