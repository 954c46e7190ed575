import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, textPart, toolPart } from "../native/support/messages.ts";
import { runCli } from "../native/support/run-cli.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  const content = [textPart("Kept."), toolPart("call_only", "output ".repeat(50))];
  await native.importSession("ses_bare", "A server without the plugin", [
    assistantMessage("msg_bare", content),
  ]);
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

describe("a server without the plugin", () => {
  it("tells a script to install it", async () => {
    const args = ["prune", "ses_bare", "--yes", "--server", native.daemon.url];
    const result = await runCli(args, native.daemon.environment);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/plugin does not answer .*; install it with/);
    const dry = await runCli(
      [...args.filter((arg) => arg !== "--yes"), "--dry-run"],
      native.daemon.environment,
    );
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("Would prune 1 part") });
  });

  it("can be read, is not pruned, and gets the plugin by i", async () => {
    terminal = await native.openApp();
    await terminal.until("plugin: missing, i installs it");
    await terminal.until("i install the plugin");
    const stored = native.remember();

    await terminal.press("Enter");
    await terminal.until("call_only");
    await terminal.press("A", "p");
    await terminal.until("goes: 1 part");
    expect(terminal.text()).not.toContain("PRUNE");
    await terminal.press("y");
    await terminal.quiet(500);
    expect(terminal.text()).not.toMatch(/Pruned|Result/);
    expect(stored.changes()).toEqual([]);

    await terminal.press("Esc", "i");
    await terminal.until("The plugin is installed and answers.", 30_000);
    await terminal.until("plugin: ready");
    await terminal.press("p");
    await terminal.until("y PRUNE");
    await terminal.press("y");
    await terminal.until("Pruned 1 part in 1 message");
    expect(stored.changes()).toEqual(["session_message msg_bare: data"]);
    expect((await native.messages("ses_bare"))[0]?.content).toEqual([textPart("Kept.")]);
  });
});
