import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revisionOf } from "../../src/contract/index.ts";
import type { ThrowawayDaemon } from "../../src/demo/index.ts";
import { assistantMessage, textPart, toolPart } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";

const run = promisify(execFile);
/** Hundreds take minutes: `npm run test:faults`. */
const KILLS = Number(process.env.PRUNE_KILLS ?? 20);

describe("a daemon that is killed while it prunes", () => {
  let pruning: PruningDaemon;
  beforeAll(async () => {
    // Every statement takes 2 ms longer, so that most kills meet an open transaction.
    pruning = await startPruningDaemon({
      entry: "test/native/support/slow-commit-plugin.ts",
      pluginOptions: { delays: { every: 2 } },
    });
  });
  afterAll(() => pruning?.remove());

  it(`comes back with the message before or after, and a receipt that agrees (${KILLS} kills)`, async () => {
    const content = Array.from({ length: 1000 }, (_, at) =>
      at % 10 === 0 ? textPart(`kept ${at}`) : toolPart(`call_${at}`, "x".repeat(200)),
    );
    await pruning.importSession("ses_kill", [assistantMessage("msg_kill", content)]);
    const before = read(pruning.daemon.database).parts;
    const outcomes = { before: 0, after: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const was = read(pruning.daemon.database);
      const index = was.parts.findIndex((part) => part.includes('"type":"tool"'));
      const request = {
        sessionID: "ses_kill",
        messageID: "msg_kill",
        revision: revisionOf(was.parts.map((part) => JSON.parse(part))),
        indexes: [index],
      };
      const answer = pruning.rpc("prune", request).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 150));
      await pruning.daemon.stop("SIGKILL");
      const told = (await answer)?.body.output;

      const is = read(pruning.daemon.database);
      const isAfter = is.parts.length < was.parts.length;
      expect(is.parts).toEqual(isAfter ? was.parts.filter((_, at) => at !== index) : was.parts);
      expect(is.receipts).toBe(was.receipts + (isAfter ? 1 : 0));
      expect(is.integrity).toBe("ok");
      if (told?.status === "pruned") expect(isAfter).toBe(true);
      outcomes[isAfter ? "after" : "before"] += 1;

      await pruning.daemon.start();
      const retried = (await pruning.rpc("prune", request)).body.output;
      expect(retried).toMatchObject({ status: "pruned", removedCount: 1 });
      expect(read(pruning.daemon.database).parts).toEqual(was.parts.filter((_, at) => at !== index));
    }
    expect(outcomes.before).toBeGreaterThan(0);
    expect(outcomes.after).toBeGreaterThan(0);
    const kept = (parts: readonly string[]) =>
      parts.filter((part) => part.includes('"type":"text","text":"kept'));
    expect(kept(read(pruning.daemon.database).parts)).toEqual(kept(before));
  }, 3_600_000);
});

describe("a daemon whose disk is full", () => {
  it("refuses, loses nothing, and prunes when there is room again", async () => {
    const disk = await smallDisk();
    const pruning = await startPruningDaemon(disk.folder === undefined ? {} : { parent: disk.folder });
    try {
      const content = [
        textPart("kept"),
        toolPart("call_1", "x".repeat(2_000_000)),
        textPart("y".repeat(500_000)),
      ];
      await pruning.importSession("ses_full", [assistantMessage("msg_full", content)]);
      const subject = { sessionID: "ses_full", messageID: "msg_full" };
      const { revision } = (await pruning.rpc("preview", subject)).body.output;
      const request = { ...subject, revision, indexes: [1] };
      checkpoint(pruning.daemon.database);
      const before = raw(pruning.daemon.database);

      // Room for the nonce, but not for the half megabyte that stays of the message.
      await disk.leave(200_000, pruning.daemon);
      const full = { status: "blocked", reason: "maintenance_required" };
      expect((await pruning.rpc("prune", request)).body.output).toEqual(full);
      expect(raw(pruning.daemon.database)).toBe(before);

      await disk.free(pruning.daemon);
      expect((await pruning.rpc("prune", request)).body.output).toMatchObject({ status: "pruned" });
      expect((await pruning.message("ses_full", "msg_full")).content).toEqual([content[0], content[2]]);
      const state = new Database(pruning.daemon.database);
      expect(state.pragma("integrity_check", { simple: true })).toBe("ok");
      await expect
        .poll(() => state.prepare("SELECT key FROM kv WHERE key LIKE '%identity/%'").all())
        .toEqual([]);
      state.close();
    } finally {
      await pruning.remove();
      await disk.remove();
    }
  });
});

/** Something that can be full: a disk of its own or, where none may be mounted, a limit on the daemon's files. */
interface SmallDisk {
  readonly folder?: string;
  leave(bytes: number, daemon: ThrowawayDaemon): Promise<void>;
  free(daemon: ThrowawayDaemon): Promise<void>;
  remove(): Promise<void>;
}

async function smallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "opencode-prune-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]);
  } catch {
    await rm(folder, { recursive: true });
    return limitedFiles;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    leave: async (bytes) => {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filler, Buffer.alloc(bavail * bsize - bytes));
    },
    free: () => rm(filler),
    remove: async () => {
      await run("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const limitedFiles: SmallDisk = {
  leave: async (bytes, daemon) => {
    const log = await stat(`${daemon.database}-wal`);
    await run("prlimit", ["--pid", String(daemon.pid), `--fsize=${log.size + bytes}:unlimited`]);
  },
  free: async (daemon) => {
    await run("prlimit", ["--pid", String(daemon.pid), "--fsize=unlimited:unlimited"]);
  },
  remove: async () => {},
};

function read(path: string): { parts: string[]; receipts: number; integrity: unknown } {
  const database = new Database(path, { timeout: 5000 });
  try {
    const data = String(
      database
        .prepare("SELECT json_extract(data, '$.content') FROM session_message WHERE id = 'msg_kill'")
        .pluck()
        .get(),
    );
    const hasReceipts = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'opencode_prune_receipt'")
      .get();
    return {
      parts: (JSON.parse(data) as unknown[]).map((part) => JSON.stringify(part)),
      receipts: hasReceipts
        ? Number(database.prepare("SELECT count(*) FROM opencode_prune_receipt").pluck().get())
        : 0,
      integrity: database.pragma("integrity_check", { simple: true }),
    };
  } finally {
    database.close();
  }
}

function raw(path: string): unknown {
  const database = new Database(path, { readonly: true });
  const data = database.prepare("SELECT hex(data) FROM session_message WHERE id = 'msg_full'").pluck().get();
  database.close();
  return data;
}

function checkpoint(path: string): void {
  const database = new Database(path);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}
