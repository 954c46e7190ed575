import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { supervise } from "../../src/demo/supervisor.ts";

/** Writes its own id and that of a child into files of its folder, and runs until somebody ends both. */
const DAEMON = `
const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
require("node:fs").writeFileSync("pids", process.pid + " " + child.pid);
console.log("ready");
setInterval(() => {}, 1000);
`;

/** A program that supervises DAEMON and then runs until it is killed. */
const PARENT = `
import { supervise } from "${join(import.meta.dirname, "../../src/demo/supervisor.ts")}";
await supervise({
  binary: process.execPath,
  arguments: ["-e", process.argv[3]],
  environment: process.env,
  folder: process.argv[2],
  onOutput: (text) => process.stdout.write(text),
});
setInterval(() => {}, 1000);
`;

describe("a supervised process", () => {
  let root: string;
  let folder: string;
  let parent: ChildProcess | undefined;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "opencode-prune-supervisor-"));
    folder = join(root, "home");
    await mkdir(folder);
  });
  afterEach(async () => {
    parent?.kill("SIGKILL");
    await rm(root, { recursive: true, force: true });
  });

  const startParent = async () => {
    await writeFile(join(root, "parent.ts"), PARENT);
    const outfile = join(root, "parent.mjs");
    await build({
      entryPoints: [join(root, "parent.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    parent = spawn(process.execPath, [outfile, folder, DAEMON], { stdio: ["ignore", "pipe", "inherit"] });
    if (parent.stdout) await once(parent.stdout, "data");
    return parent;
  };
  const pids = async () => (await readFile(join(folder, "pids"), "utf8")).split(" ").map(Number);

  for (const signal of ["SIGKILL", "SIGTERM", "SIGHUP"] as const)
    it(`ends, with its children and its folder, when its parent ends by ${signal}`, async () => {
      const killed = await startParent();
      const [pid = 0, grandchild = 0] = await pids();
      expect(isRunning(pid) && isRunning(grandchild)).toBe(true);
      killed.kill(signal);
      await vi.waitUntil(() => !isRunning(pid) && !isRunning(grandchild) && !existsSync(folder), 10_000);
    });

  it("is killed after a while when it does not listen to its signal", async () => {
    const deaf = await superviseHere(
      "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)",
    );
    await deaf.end("SIGTERM");
    expect(isRunning(deaf.pid)).toBe(false);
    expect(existsSync(folder)).toBe(true);
  });

  it("tells when it ends by itself", async () => {
    const short = await superviseHere("console.log('ready')");
    await short.ended;
    await short.end("SIGTERM");
    expect(isRunning(short.pid)).toBe(false);
  });

  it("is an error when there is nothing to execute", async () => {
    const missing = supervise({
      binary: join(root, "nothing"),
      arguments: [],
      environment: process.env,
      folder,
      onOutput: () => {},
    });
    await expect(missing).rejects.toThrow("ENOENT");
  });

  /** Supervises a piece of JavaScript from this process; resolves once it has said something. */
  const superviseHere = async (source: string) => {
    let heard = () => {};
    const ready = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const supervised = await supervise({
      binary: process.execPath,
      arguments: ["-e", source],
      environment: process.env,
      folder,
      patience: 100,
      onOutput: () => heard(),
    });
    await ready;
    return supervised;
  };
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
