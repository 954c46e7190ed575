import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const CLI = resolve(import.meta.dirname, "../../dist/cli.js");

describe("opencode-prune demo", () => {
  let temporary: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), "opencode-prune-demo-test-"));
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await rm(temporary, { recursive: true, force: true, maxRetries: 10 });
  });

  interface Ended {
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
  }

  /** Runs the command without a terminal, its temporary folders below `temporary`. */
  const run = (options: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const started = spawn(process.execPath, [CLI, "demo", ...options], {
      env: { ...process.env, TMPDIR: temporary, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    const printed = { output: "", errors: "" };
    started.stdout.setEncoding("utf8").on("data", (text) => {
      printed.output += text;
    });
    started.stderr.setEncoding("utf8").on("data", (text) => {
      printed.errors += text;
    });
    const ended = new Promise<Ended>((done) =>
      started.once("close", (code, signal) => done({ code, signal })),
    );
    return { process: started, printed, ended };
  };

  /** Runs the smoke form until the daemon is up and seeded; answers the daemon's process id. */
  const startAndWait = async () => {
    const running = run(["--smoke"]);
    await vi.waitUntil(() => /seeded: /.test(running.printed.output), 60_000);
    const pid = Number(/process (\d+)/.exec(running.printed.output)?.[1]);
    expect(isRunning(pid)).toBe(true);
    expect(await readdir(temporary)).toHaveLength(1);
    return { ...running, pid };
  };

  it("--smoke prunes a tool part and a reasoning part, checks it, and leaves nothing behind", async () => {
    const { ended, printed } = run(["--smoke"]);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(printed.errors).toBe("");
    expect(printed.output).toMatch(/selected part \d+ of msg_\w+: tool /);
    expect(printed.output).toMatch(/selected part \d+ of msg_\w+: reasoning/);
    expect(printed.output).toMatch(/pruned: 2 parts/);
    expect(printed.output).toMatch(
      /checked natively: the 2 parts are gone, \d{2,} other parts are identical/,
    );
    expect(printed.output).toMatch(/checked in the database: .*, \d{2,} text parts among it/);
    const pid = Number(/process (\d+)/.exec(printed.output)?.[1]);
    expect(isRunning(pid)).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
  });

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    it(`has cleaned up before it ends by ${signal}`, async () => {
      const { process: demo, pid, ended } = await startAndWait();
      demo.kill(signal);
      expect(await ended).toEqual({ code, signal: null });
      expect(isRunning(pid)).toBe(false);
      expect(await readdir(temporary)).toEqual([]);
    });

  it("leaves nothing behind when it is killed and cannot clean up", async () => {
    const { process: demo, pid, ended } = await startAndWait();
    demo.kill("SIGKILL");
    await ended;
    await vi.waitUntil(async () => !isRunning(pid) && (await readdir(temporary)).length === 0, 30_000);
  });

  it("says in one sentence that there is no runtime", async () => {
    const missing = join(temporary, "opencode");
    const { ended, printed } = run(["--smoke"], { OPENCODE_BIN: missing });
    expect((await ended).code).toBe(1);
    expect(printed.output).toBe("");
    expect(printed.errors).toMatch(/^.*OPENCODE_BIN names .*\n$/);
    expect(printed.errors).toContain(missing);
  });

  it("without a terminal says in one sentence how to do without", async () => {
    const { ended, printed } = run([]);
    expect((await ended).code).toBe(1);
    expect(printed.output).toBe("");
    expect(printed.errors).toMatch(/^.*terminal.*--smoke.*\n$/);
    expect(existsSync(temporary) && (await readdir(temporary))).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
