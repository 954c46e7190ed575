import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  assistantMessage,
  reasoningPart,
  textPart,
  toolPart,
  userMessage,
} from "../native/support/messages.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

/** In the content alone: in no title, label or tool name. */
const SECRET = "moonquartz";

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.importSession("ses_reef", "Chart the reef", [
    userMessage("msg_reef_0", `Where is the ${SECRET}?`),
    assistantMessage("msg_reef_1", [textPart("I look."), toolPart("call_reef_1", "no such stone")]),
    assistantMessage("msg_reef_2", [
      textPart("Found."),
      reasoningPart(`The stone is a ${SECRET.toUpperCase()}, I think.`),
      toolPart("call_reef_2", "more"),
    ]),
  ]);
  await native.importSession("ses_dock", "Repair the dock", [
    userMessage("msg_dock_0", "Repair it."),
    assistantMessage("msg_dock_1", [
      textPart("Done."),
      toolPart("call_dock_1", `${"plank ".repeat(500)}a \u001b[53m${SECRET}\u001b]0;owned\u0007 nail\u202e`),
    ]),
  ]);
});
afterAll(() => native?.remove());
afterEach(() => terminal?.close());

const rows = () => terminal.screen().filter((row) => row.includes("›"));

async function search(text: string): Promise<void> {
  await terminal.press("ctrl-f");
  await terminal.until("Search the content of");
  await terminal.press("ctrl-u");
  await terminal.type(text);
  await terminal.press("Enter");
}

/** What a search of everything shows, however it is done. */
async function expectEverythingFound(through: string): Promise<void> {
  await search(SECRET);
  await terminal.until(new RegExp(`Done, 5 messages, ${through}`), 30_000);
  expect(terminal.text()).toContain(`Search “${SECRET}” 3 found in all sessions`);
  const found = rows().join("\n");
  expect(found).toMatch(new RegExp(`Chart the reef .* Where is the ›${SECRET}‹\\?`));
  expect(found).toMatch(new RegExp(`Chart the reef .* The stone is a ›${SECRET.toUpperCase()}‹, I think`));
  expect(found).toMatch(new RegExp(`Repair the dock .*›${SECRET}‹`));
  expect(found).toMatch(/11\/14\/23, \d+:\d\d [AP]M/);
}

describe("searching content in the app", () => {
  it("works without the plugin, and says so", async () => {
    terminal = await native.openApp();
    await terminal.until("│ reads: API", 30_000);
    await expectEverythingFound("through the API");
  });

  it("goes through the plugin where it is there, and opens what was found", async () => {
    await native.installPlugin();
    const kept = await mkdtemp(join(native.daemon.home, "kept-"));
    const environment = { XDG_STATE_HOME: join(kept, "state"), XDG_CACHE_HOME: join(kept, "cache") };
    terminal = await native.openApp({ environment });
    await terminal.until("│ reads: plugin", 30_000);
    await expectEverythingFound("through the plugin");
    expect(terminal.raw()).not.toMatch(/\u001b\[53m|\u001b\]0;owned|\u202e/);
    const stored = native.remember();

    while (!/▸ Chart the reef .*The stone/.test(terminal.text())) await terminal.press("j");
    await terminal.press("Enter");
    await terminal.until("Parts of Chart the reef");
    await terminal.until(/▸ +message 2,/);
    await search("no such");
    await terminal.until(/Done, 3 messages, through the plugin/, 30_000);
    expect(terminal.text()).toContain("1 found Chart the reef");
    await terminal.press("Enter");
    await terminal.until(/▸ +message 1,/);
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(stored.changes()).toEqual([]);

    const files = await filesBelow(kept);
    expect(files.length).toBeGreaterThan(0);
    for (const [path, content] of files) expect(content.toLowerCase(), path).not.toContain(SECRET);
  });
});

async function filesBelow(folder: string): Promise<[path: string, content: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, "latin1")]),
  );
}
