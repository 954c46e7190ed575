import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { READING_RPC } from "../../src/contract/index.ts";
import { createGate } from "../../src/demo/index.ts";
import { type Native, startNative } from "./support/index.ts";
import { bundlePlugin } from "./support/pruning-daemon.ts";

const PATIENCE = { timeout: 30_000, interval: 50 };

/** A plugin that tells what the plugins of the daemon share. */
const SPY = `export default { id: "spy", async setup(ctx) {
  const any = { "~standard": { version: 1, vendor: "spy", validate: (value) => ({ value }) } };
  const registration = await ctx.rpc.register({ id: "spy", methods: { threads: { input: any, output: any } }, events: {} }, {
    threads: async () => [...(globalThis[Symbol.for("opencode-prune.reading-threads")] ?? new Map()).values()]
      .map((entry) => ({ users: entry.users, running: entry.thread.isRunning })),
  });
  return () => registration.dispose();
} };`;

/** In the place of the thread's own code: the first thread crashes over its first question. */
const CRASHES_ONCE = `import { existsSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
const flag = new URL("./crashed", import.meta.url);
if (existsSync(flag)) await import("./real-worker.js");
else parentPort.on("message", () => { writeFileSync(flag, ""); throw new Error("the thread crashes"); });`;

let folder: string;
let native: Native;
const builds: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "opencode-prune-thread-"));
  const spy = join(folder, "spy");
  await mkdir(spy);
  await writeFile(join(spy, "package.json"), '{"name":"spy","type":"module","main":"./index.js"}');
  await writeFile(join(spy, "index.js"), SPY);

  const plugin = await bundlePlugin();
  builds.push(plugin, join(folder, "other"));
  await cp(plugin, join(folder, "other"), { recursive: true });
  await rename(join(plugin, "worker.js"), join(plugin, "real-worker.js"));
  await writeFile(join(plugin, "worker.js"), CRASHES_ONCE);
  native = await startNative({ plugins: [spy, plugin] });
});
afterAll(async () => {
  await native?.close();
  for (const build of builds) await rm(build, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

const usage = async (directory = native.directory) =>
  (await native.rpc(READING_RPC, "usage", directory, {})).body.output;
const threads = async () => (await native.rpc("spy", "threads", native.directory, {})).body.output;

/** By thread: 0 for as usual, more for later than others (field 19 of `proc_pid_stat(5)`). */
async function niceOfThreads(pid: number): Promise<Map<number, number>> {
  const folders = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(
    folders.map(async (thread) => {
      const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => undefined);
      const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields === undefined ? [] : [[Number(thread), Number(fields[16])] as const];
    }),
  );
  return new Map(stats.flat());
}

describe("the reading thread in the real daemon", () => {
  it("is not started before anybody reads", async () => {
    expect(await threads()).toEqual([{ users: 1, running: false }]);
  });

  it("crashes, and the question that it crashed over is answered by the next one", async () => {
    expect(await usage()).toMatchObject({ status: "page" });
    expect(await usage()).toMatchObject({ status: "page" });
  });

  it("is one for all locations", async () => {
    const other = join(folder, "elsewhere");
    await mkdir(other);
    expect(await usage(other)).toMatchObject({ status: "page" });
    expect(await threads()).toEqual([{ users: 2, running: true }]);
  });

  it.runIf(process.platform === "linux")("lets every other thread of the daemon go first", async () => {
    await usage();
    const priorities = await niceOfThreads(native.daemon.pid);
    const own = priorities.get(native.daemon.pid) ?? Number.NaN;
    expect([...priorities.values()].filter((nice) => nice !== own)).toEqual(own < 10 ? [10] : []);
  });
});

describe("a native generation", () => {
  it("changes the fingerprint when it starts, while it goes on and when it ends", async () => {
    const gate = createGate();
    native.provider.queue([{ reasoning: "Let me see." }, { text: "One" }, { hold: gate }, { text: " two." }]);
    const { data } = await native.call("POST", "/api/session", { location: { directory: native.directory } });
    const sessionID: string = data.id;
    const fingerprint = async () => {
      const answer = await native.rpc(READING_RPC, "fingerprint", native.directory, {
        sessionIDs: [sessionID],
      });
      return answer.body.output.fingerprints[0].fingerprint;
    };
    const written = () => {
      const database = new Database(native.daemon.database, { readonly: true });
      const row = database
        .prepare("SELECT time_updated FROM session_message WHERE session_id = ? AND type = 'assistant'")
        .get(sessionID);
      database.close();
      return (row as { time_updated: number } | undefined)?.time_updated;
    };
    const empty = await fingerprint();
    await native.call("POST", `/api/session/${sessionID}/prompt`, { text: "Count." });
    await gate.reached;
    const writtenDuring = await vi.waitFor(() => {
      const time = written();
      if (time === undefined) throw new Error("The daemon has not written the message yet.");
      return time;
    }, 30_000);
    const during = await fingerprint();
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.open();
    await native.call("POST", `/api/experimental/session/${sessionID}/wait`);
    const after = await fingerprint();
    expect(new Set([empty, during, after]).size).toBe(3);
    expect(written(), "native writes move time_updated").toBeGreaterThan(writtenDuring);
    expect(await fingerprint()).toBe(after);
  });
});

describe("an update of the plugin in the running daemon", () => {
  let updated: Native;
  beforeAll(async () => {
    updated = await startNative({ plugins: [join(folder, "spy")] });
  });
  afterAll(() => updated?.close());

  it("ends the old build's thread and reads with the new one's", async () => {
    const place = join(updated.daemon.configuration, "plugins", "opencode-prune");
    const ask = (rpcID: string, method: string) => updated.rpc(rpcID, method, updated.directory, {});
    const isRead = async () => (await ask(READING_RPC, "usage")).body.output?.status === "page";
    const [old = "", fresh = ""] = builds;
    await mkdir(join(place, ".."), { recursive: true });
    await cp(old, join(folder, "installed"), { recursive: true });
    await rename(join(folder, "installed"), place);
    await vi.waitFor(async () => expect(await isRead()).toBe(true), PATIENCE);
    await rename(place, join(folder, "gone"));
    await vi.waitFor(async () => expect((await ask("spy", "threads")).body.output).toEqual([]), PATIENCE);
    await cp(fresh, join(folder, "installed"), { recursive: true });
    await rename(join(folder, "installed"), place);
    await vi.waitFor(async () => expect(await isRead()).toBe(true), PATIENCE);
    expect((await ask("spy", "threads")).body.output).toEqual([{ users: 1, running: true }]);
  });
});
