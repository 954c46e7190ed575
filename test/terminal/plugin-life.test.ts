import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PREVIEW_METHOD, PRUNING_RPC } from "../../src/contract/index.ts";
import { assistantMessage, textPart, toolPart } from "../native/support/messages.ts";
import { PUBLISHED_PLUGIN } from "../native/support/published-plugin.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

/** OpenCode has to notice, load and answer. */
const PATIENCE = 30_000;

let native: AppDaemon;
let terminal: Terminal;
let project: string;
let folder: string;

beforeAll(async () => {
  native = await startAppDaemon();
  project = join(native.daemon.user, "project");
  folder = join(native.daemon.configuration, "plugins", "opencode-prune");
  await promisify(execFile)("git", ["init", "--quiet", project]);
  await native.importSession("ses_buoy", "Repaint the buoys", [
    assistantMessage("msg_buoy", [textPart("Kept."), toolPart("call_buoy", "paint ".repeat(50))]),
  ]);
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

/** What the daemon answers to the plugin's own RPC: the type of its refusal, where nobody serves it. */
async function answer(directory = project): Promise<string> {
  const input = { sessionID: "ses_buoy", messageID: "msg_buoy" };
  const { body } = await native.rpc(PRUNING_RPC, PREVIEW_METHOD, directory, input);
  return body.output?.status ?? body.type;
}

/** The screen as one line, so that it does not matter where a sentence was broken. */
const said = () => terminal.text().replace(/\s+/g, " ");
const says = (sentence: string) => terminal.until(() => said().includes(sentence), PATIENCE);
/** Presses a key once the key line offers it: while the screen looks, nothing can be changed. */
async function press(key: string, what: string): Promise<void> {
  await terminal.until(`${key} ${what}`, PATIENCE);
  await terminal.press(key);
}

describe("the plugin's life from the app", () => {
  it("is installed, not replaced without a second key once somebody changed it, and removed", async () => {
    terminal = await native.openApp({ columns: 80, rows: 24 });
    await terminal.press("I");
    await says("The plugin is not installed; i installs it.");
    expect(await answer()).toBe("rpc.unavailable");

    await press("i", "install");
    await says("The plugin is installed here, and it answers.");
    expect(await answer()).toBe("preview");
    const original = await readFile(join(folder, "index.js"), "utf8");
    await native.prune("ses_buoy", "msg_buoy", [1]);
    const stored = native.remember();

    await appendFile(join(folder, "index.js"), "\n// mine");
    await terminal.press("R");
    await says(
      "It was changed since it was installed (index.js); u puts the original back, after a question.",
    );
    await press("u", "update");
    await says(`Replaces the plugin in ${folder} by version`);
    await says("What somebody changed is lost: index.js.");
    for (const key of ["u", "Enter", "i"]) {
      await terminal.press(key);
      await says("u puts the original back, after a question.");
      await press("u", "update");
      await says("y replaces it; any other key does not.");
    }
    await terminal.press("Esc", "y");
    await terminal.quiet(500);
    expect(await readFile(join(folder, "index.js"), "utf8")).toBe(`${original}\n// mine`);

    await press("u", "update");
    await says("y replaces it; any other key does not.");
    await press("y", "YES");
    await says("The plugin is updated here, and it answers.");
    expect(await readFile(join(folder, "index.js"), "utf8")).toBe(original);
    expect(await answer()).toBe("preview");

    await press("d", "remove");
    await says("Nothing but receipts of what was pruned stays, in OpenCode's database.");
    await terminal.press("Esc");
    await says("The plugin is installed here");
    expect(await readdir(folder)).toContain("index.js");
    await press("d", "remove");
    await press("y", "YES");
    await says(`The plugin is removed from ${folder}; receipts of what was pruned stay`);
    await terminal.until("plugin: missing");
    expect(await readdir(native.daemon.configuration)).toEqual([]);
    expect(await answer()).toBe("rpc.unavailable");
    expect(stored.changes()).toEqual([]);
    expect(stored.receipts(), "those that were there are there still").toBe(0);
  });

  it("replaces what was shown, and not what was written since then", async () => {
    terminal = await native.openApp({ columns: 60, rows: 15 });
    await terminal.press("I");
    await says("The plugin is not installed; i installs it.");
    await press("i", "install");
    await says("The plugin is installed here, and it answers.");
    await appendFile(join(folder, "index.js"), "\n// seen");
    await terminal.press("R");
    await says("It was changed since it was installed");
    await press("d", "remove");
    await says("What somebody changed is lost: index.js.");
    await appendFile(join(folder, "index.js"), "\n// written while the question stood");
    await press("y", "YES");
    await says("was changed again after the question, and stays as it is");
    expect(await readFile(join(folder, "index.js"), "utf8")).toContain("while the question stood");
    await press("d", "remove");
    await says("What somebody changed is lost: index.js.");
    await press("y", "YES");
    await says("The plugin is removed from");
    expect(await answer()).toBe("rpc.unavailable");
  });

  it("is there for the project of the open session alone, and leaves nothing in it", async () => {
    terminal = await native.openApp({ columns: 80, rows: 24 });
    await terminal.press("Enter", "I");
    await says("Plugin for every project");
    await terminal.press("Tab");
    await says(`for the project in ${project} alone`);
    await says("The plugin is not installed; i installs it.");
    await press("i", "install");
    await says("The plugin is installed here, and it answers.");
    expect(await readdir(join(project, ".opencode", "plugins", "opencode-prune"))).toContain("index.js");
    expect(await answer()).toBe("preview");
    expect(await answer(native.daemon.user)).toBe("rpc.unavailable");
    await press("d", "remove");
    await press("y", "YES");
    await says("The plugin is removed from");
    expect(await readdir(project)).toEqual([".git"]);
    expect(await answer()).toBe("rpc.unavailable");
  });

  it("is explained beside the published plugin", async () => {
    const published = join(native.daemon.configuration, "plugins", "published");
    await mkdir(published, { recursive: true });
    await writeFile(join(published, "index.js"), PUBLISHED_PLUGIN);
    try {
      terminal = await native.openApp({ columns: 60, rows: 15, connected: /plugin: ready \(published\)/ });
      await terminal.press("I");
      await says("The published session pruning plugin answers; opencode-prune uses it.");
      await press("i", "install");
      await says("Ours, here, stands back while the published one is active: both speak the same contract.");
      await press("d", "remove");
      await press("y", "YES");
      await says("The published session pruning plugin still answers.");
      expect(await readdir(join(native.daemon.configuration, "plugins"))).toEqual(["published"]);
    } finally {
      await rm(join(native.daemon.configuration, "plugins"), { recursive: true });
    }
  });

  it("is put back by an app that is quit in the middle of it", async () => {
    await native.installPlugin();
    await appendFile(join(folder, "index.js"), "\n// mine");
    terminal = await native.openApp();
    await terminal.press("I");
    await says("u puts the original back");
    await press("u", "update");
    await says("y replaces it");
    await press("y", "YES");
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(await readFile(join(folder, "index.js"), "utf8")).not.toContain("// mine");
    expect(await answer()).toBe("preview");
  });
});
