import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openTerminal, type Terminal } from "./support/index.ts";

const STARTED = 90_000;

let temporary: string;
let terminal: Terminal;
let address: string;

beforeEach(async () => {
  address = "";
  temporary = await mkdtemp(join(tmpdir(), "opencode-prune-demo-test-"));
  terminal = openTerminal({ arguments: ["demo"], environment: { TMPDIR: temporary } });
});
afterEach(async () => {
  await terminal.close();
  await vi.waitUntil(async () => (await processesIn(temporary)).length === 0, 30_000);
  await rm(temporary, { recursive: true, force: true, maxRetries: 10 });
});

/** The processes whose home lies in a folder: the daemon, and what looks after it. Linux alone tells. */
async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue;
    const environment = await readFile(`/proc/${entry}/environ`, "latin1").catch(() => "");
    if (environment.includes(`HOME=${folder}/`)) found.push(Number(entry));
  }
  return found;
}

async function untilOpen(): Promise<void> {
  await terminal.until(/│ live │ plugin: ready/, STARTED);
  address = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.text())?.[0] ?? "";
  expect(await left()).toEqual(expect.arrayContaining([address]));
  expect(await readdir(temporary)).toHaveLength(1);
}

/** What there is of the demo: its folder, its processes, and its address while a daemon answers there. */
async function left(): Promise<unknown[]> {
  const answers = await fetch(address).then(
    () => [address],
    () => [],
  );
  return [...answers, ...(await readdir(temporary)), ...(await processesIn(temporary))];
}

describe("the demo in a terminal", () => {
  it("opens the app on a dozen sessions in three projects, one running, one reverted", async () => {
    await untilOpen();
    await terminal.until(
      (rows) => rows.filter((row) => /\d+% (idle|running|reverted) *$/.test(row)).length === 12,
    );
    expect(terminal.text()).toMatch(/ running\b/);
    expect(terminal.text()).toMatch(/ reverted\b/);
    await terminal.press("Enter", "A", "p");
    await terminal.until("It is irreversible.");
    await terminal.press("y");
    await terminal.until(/Pruned \d+ parts in \d+ messages/, 60_000);
  });

  it.each(["q", "ctrl-c"])("ends with %s, and nothing is left of it", async (key) => {
    await untilOpen();
    await terminal.press(key);
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(await left()).toEqual([]);
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["normal", false]);
  });

  it.each([
    ["SIGHUP", 129],
    ["SIGTERM", 143],
  ] as const)("ends by %s, and nothing is left of it", async (signal, code) => {
    await untilOpen();
    terminal.signal(signal);
    expect(await terminal.ended).toEqual({ code, signal: 0 });
    expect(await left()).toEqual([]);
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["normal", false]);
  });

  it("leaves nothing when its window is closed", async () => {
    await untilOpen();
    terminal.closeWindow();
    await terminal.ended;
    await vi.waitUntil(async () => (await left()).length === 0, 30_000);
  });

  it("leaves nothing when it is killed", async () => {
    await untilOpen();
    terminal.signal("SIGKILL");
    await terminal.ended;
    await vi.waitUntil(async () => (await left()).length === 0, 30_000);
  });

  it("can be given up with Ctrl-C while it still starts", async () => {
    await terminal.until("Starting a throwaway OpenCode");
    await vi.waitUntil(async () => (await left()).length > 0, 30_000);
    await terminal.press("ctrl-c");
    expect((await terminal.ended).code).toBe(130);
    expect(await left()).toEqual([]);
  });
});
