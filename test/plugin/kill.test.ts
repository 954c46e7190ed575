import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeDaemon, SESSION } from "./support/fake-daemon.ts";
import { revisionOfStored, stored } from "./support/stored.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const KILLS = Number(process.env.PRUNE_KILLS ?? 40);
const MESSAGES = 12;
const PARTS = 400;

/** The parts of message \`at\`: tools between texts, each told apart by its number. */
function partsOf(at: number): string[] {
  return Array.from({ length: PARTS }, (_, part) =>
    part % 10 === 9
      ? `{"type":"text","text":"kept ${at}.${part} 1.0 \\u00e9"}`
      : `{"type":"tool","id":"call_${at}_${part}","state":{"status":"completed","input":{"n":-0}},"pad":"${"x".repeat(200)}"}`,
  );
}

describe("a process that is killed while it prunes", () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(root, "node_modules/.opencode-prune-kill-"));
    program = join(folder, "prune-until-killed.mjs");
    await build({
      absWorkingDir: root,
      entryPoints: ["test/plugin/support/prune-until-killed.ts"],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3", "zod"],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`leaves every message entirely before or entirely after, and a receipt for each prune (${KILLS} kills)`, async () => {
    const initial = Array.from({ length: MESSAGES }, (_, at) => partsOf(at));
    seed(folder, initial);
    let pruned = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pruneAndKill(program, folder, 1 + ((kill * 7.3) % 90));
      const removed = await inspect(folder, initial);
      expect(removed).toBeGreaterThan(pruned);
      pruned = removed;
      if (pruned > (MESSAGES * PARTS * 0.9) / 2) {
        seed(folder, initial);
        pruned = 0;
      }
    }
  }, 900_000);
});

function seed(folder: string, initial: readonly (readonly string[])[]): void {
  const daemon = new FakeDaemon(folder);
  daemon.database.exec("DELETE FROM session_message; DELETE FROM session_v2; DELETE FROM event_sequence");
  daemon.database.exec("DROP TABLE IF EXISTS opencode_prune_receipt");
  daemon.insertSession();
  initial.forEach((parts, at) => {
    daemon.insertMessage(stored(parts), `msg_${at}`);
  });
  daemon.database.close();
}

async function pruneAndKill(program: string, folder: string, delay: number): Promise<void> {
  const child = spawn(process.execPath, [program, folder, String(MESSAGES)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, delay));
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Answers how many parts are gone, after making sure that exactly these are accounted for. */
async function inspect(folder: string, initial: readonly (readonly string[])[]): Promise<number> {
  const daemon = new FakeDaemon(folder);
  try {
    expect(daemon.database.pragma("integrity_check", { simple: true })).toBe("ok");
    const receipts = daemon.receipts();
    let removed = 0;
    for (const [at, parts] of initial.entries()) {
      const own = receipts.filter((receipt) => receipt.message_id === `msg_${at}`);
      let kept = [...parts];
      for (let gone = 0; gone < own.length; gone += 1) {
        const first = kept.findIndex((part) => part.startsWith('{"type":"tool"'));
        kept = kept.filter((_, index) => index !== first);
      }
      expect(daemon.data(`msg_${at}`)).toBe(stored(kept));
      if (own.length > 0)
        expect(own.map((one) => one.revision_after)).toContain(revisionOfStored(stored(kept)));
      removed += own.length;
    }
    await expectReplay(daemon, receipts.at(-1));
    return removed;
  } finally {
    await daemon.close();
  }
}

async function expectReplay(daemon: FakeDaemon, receipt: Record<string, unknown> | undefined): Promise<void> {
  if (!receipt) return;
  await daemon.load();
  const before = daemon.data(String(receipt.message_id));
  // The first technical part was always the one that went: index 0, or the first after the kept texts.
  const candidates = Array.from({ length: PARTS }, (_, index) => index);
  for (const index of candidates) {
    const answer = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: receipt.message_id,
      revision: receipt.revision_before,
      indexes: [index],
    });
    if (answer.status !== "pruned") continue;
    expect(answer.revision).toBe(receipt.revision_after);
    expect(daemon.data(String(receipt.message_id))).toBe(before);
    return;
  }
  throw new Error("No request matches the receipt.");
}
