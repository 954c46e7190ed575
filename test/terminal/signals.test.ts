import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { assistantMessage, textPart, toolPart } from "../native/support/messages.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

let native: AppDaemon;
let terminal: Terminal;
let device: string;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  await native.importSession("ses_lamp", "Repair the lighthouse lamp", [
    assistantMessage("msg_lamp", [textPart("Kept."), toolPart("call_lamp", "lamp ".repeat(50))]),
  ]);
});
beforeEach(async () => {
  terminal = await native.openApp();
  device = readlinkSync(`/proc/${terminal.pid}/fd/0`);
  await terminal.press("Enter");
  await terminal.until("call_lamp");
  await terminal.press("A");
  await terminal.until("Selected: 1 part");
  await terminal.quiet();
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

/** Whether the terminal itself edits lines and echoes them, as it does for a shell. */
function isCooked(): boolean {
  const modes = execFileSync("stty", ["-a", "-F", device], { encoding: "utf8" }).split(/[\s;]+/);
  return modes.includes("icanon") && modes.includes("echo") && modes.includes("isig");
}

const isStopped = () => / T /.test(readFileSync(`/proc/${terminal.pid}/stat`, "latin1"));
const isGivenBack = () => terminal.buffer() === "normal" && !terminal.cursorHidden();

describe("a signal", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("%s ends the app and gives the terminal back", async (signal, code) => {
    expect([isGivenBack(), isCooked()]).toEqual([false, false]);
    terminal.signal(signal);
    expect(await terminal.ended).toEqual({ code, signal: 0 });
    expect(isGivenBack()).toBe(true);
    expect(terminal.text()).toBe("");
    expect(terminal.raw()).toMatch(/\u001b\[\?7h.*\u001b\[\?25h\u001b\[\?1049l$/s);
  });

  it.each([
    ["SIGTSTP", () => Promise.resolve(terminal.signal("SIGTSTP"))],
    ["ctrl-z", () => terminal.press("ctrl-z")],
  ] as const)(
    "%s puts it in the background with the terminal given back, and SIGCONT repaints it",
    async (_, stop) => {
      const shown = terminal.text();
      const stored = native.remember();
      await stop();
      await vi.waitUntil(isStopped, 15_000);
      await terminal.until(isGivenBack);
      expect(isCooked()).toBe(true);

      terminal.resize(90, 20);
      terminal.signal("SIGCONT");
      await terminal.until(() => terminal.buffer() === "alternate" && terminal.cursorHidden());
      await terminal.until((rows) => rows[18]?.startsWith("Space select") === true);
      expect(isCooked()).toBe(false);
      terminal.resize(100, 30);
      await terminal.until(() => terminal.text() === shown);
      await terminal.press("j", "Space");
      await terminal.until((rows) => !rows.join().includes("Selected:"));
      expect(stored.changes()).toEqual([]);
    },
  );
});

describe("a fault that nobody caught", () => {
  it("leaves the terminal as it was, one sentence, and a log without what was on the screen", async () => {
    await terminal.close();
    const throws = `process.on("SIGUSR2",()=>{throw(new(Error)("call_"+"lamp"))})`;
    terminal = await native.openApp({
      columns: 300,
      environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throws)}` },
    });
    device = readlinkSync(`/proc/${terminal.pid}/fd/0`);
    terminal.signal("SIGUSR2");
    expect(await terminal.ended).toEqual({ code: 1, signal: 0 });
    expect([isGivenBack(), terminal.text().split("\n").length]).toEqual([true, 1]);
    const [path = ""] = /\/\S+\.(?:log|txt)/.exec(terminal.text()) ?? [];
    const log = readFileSync(path, "utf8");
    expect(log).toMatch(/Error/);
    expect(log).not.toMatch(new RegExp(`call_lamp|lighthouse|${native.daemon.password}`));
  });
});
