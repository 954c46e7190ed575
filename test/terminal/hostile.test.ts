import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../native/support/messages.ts";
import { HOSTILE } from "../text/hostile.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

/** JSON with a lone half of a pair in it is refused by the daemon. */
const TEXTS = Object.values(HOSTILE).filter((text) => !/\p{Cs}/u.test(text));
const ALL = TEXTS.join(" ");
const TITLES = TEXTS.map((text, position) => `Title ${position} ${text} end`);

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  const hostile = toolPart("call_hostile", TEXTS.join("\n"), {
    input: { filePath: ALL, [`key ${ALL}`]: ALL },
  });
  await native.importSession("ses_hostile", `Hold ${ALL}`, [
    assistantMessage("msg_hostile", [
      textPart("Kept."),
      reasoningPart(ALL),
      hostile,
      toolPart("call_error", "", { status: "error", error: { type: "unknown", message: ALL } }),
    ]),
  ]);
  for (const [position, title] of TITLES.entries()) {
    await native.importSession(`ses_title_${position}`, title, []);
  }
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

/** All that the app itself ever writes to a terminal besides text. */
const OURS = /\u001b\[(?:\?(?:1049|25|7|2004|2026)[hl]|8[hl]|2J|2K|H|\d+;1H|[\d;]*m)|\r\n/g;
const HARMFUL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}]/u;

function expectOnlyText(): void {
  const found = terminal.raw().replace(OURS, "");
  const at = found.search(HARMFUL);
  expect(at === -1 ? "" : JSON.stringify(found.slice(Math.max(0, at - 40), at + 40))).toBe("");
}

describe("hostile text from a real server", () => {
  it("is stored as it is, and reaches the terminal as text alone", async () => {
    const { data } = await native.call("GET", "/api/session?limit=200");
    const titles = data.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(TITLES));

    terminal = await native.openApp({ columns: 120, rows: 24 });
    await terminal.until(/▸ +Hold/);
    for (let page = 0; page < 3; page += 1) await terminal.press("PgDn");
    await terminal.press("g", "Enter");
    await terminal.until(/\[ \] read/);
    await terminal.press("j", "Enter");
    await terminal.quiet();
    await terminal.press("Esc", "j", "Enter");
    await terminal.quiet();
    for (let page = 0; page < 6; page += 1) await terminal.press("PgDn");
    await terminal.press("Esc", "A", "p");
    await terminal.until("y PRUNE");
    await terminal.press("y");
    await terminal.until("Pruned 3 parts in 1 message");
    await terminal.press("e");
    await terminal.until("pruned here");
    expectOnlyText();
    expect(terminal.screen()[22]).toMatch(/Esc back/);
    expect(terminal.buffer()).toBe("alternate");
  });

  it("reaches a screen reader as text alone", async () => {
    terminal = await native.openApp({ flags: ["--screen-reader"], connected: "Row 1 of" });
    await terminal.press("Enter");
    await terminal.quiet();
    const found = terminal.raw().replace(/\u001b\[[\d;?]*[A-Za-z]|\r?\n/g, "");
    expect(HARMFUL.exec(found)?.[0]).toBeUndefined();
    expect(terminal.raw()).not.toMatch(/\u001b\[(2J\u001b\[1;1H|31m|6n|\?1049l)/);
  });

  it("is text alone where it is pasted, too", async () => {
    terminal = await native.openApp({ columns: 60, rows: 15, environment: { NO_COLOR: "1" } });
    await terminal.until(/▸ +Title|▸ +Hold/);
    await terminal.press("G", "/");
    await terminal.type(`\u001b[200~${ALL}\u001b[201~`);
    await terminal.quiet();
    await terminal.press("Esc");
    await terminal.until("q quit");
    expectOnlyText();
  });
});
