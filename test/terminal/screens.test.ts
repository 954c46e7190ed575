import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  assistantMessage,
  reasoningPart,
  textPart,
  toolPart,
  userMessage,
} from "../native/support/messages.ts";
import {
  type AppDaemon,
  type AppTerminalOptions,
  expectGolden,
  masked,
  openTerminal,
  startAppDaemon,
  type Terminal,
} from "./support/index.ts";

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  const lamp = (number: number) => [
    textPart("Kept."),
    reasoningPart(`Thought ${number}: the wick is too short.`),
    toolPart(`call_${number}a`, "lamp ".repeat(4_000 * number)),
    toolPart(`call_${number}b`, "灯塔 ".repeat(900 * number)),
  ];
  await native.importSession("ses_lamp", "Repair the lighthouse lamp", [
    userMessage("msg_lamp_0", "Repair it."),
    ...[1, 2, 3].map((number) => assistantMessage(`msg_lamp_${number}`, lamp(number))),
  ]);
  await native.importSession("ses_wide", "ビルドが遅い原因を調べる 🚀 👩‍👩‍👧‍👦", [
    assistantMessage("msg_wide", [reasoningPart("キャッシュ。"), toolPart("call_wide", "x".repeat(30_000))]),
  ]);
  await native.importSession("ses_marks", "Renommer les modèles « cle\u0301 »", [
    assistantMessage("msg_marks", [textPart("Fait."), toolPart("call_marks", "y".repeat(8_000))]),
  ]);
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

const SIZES = [
  [60, 15],
  [80, 24],
  [200, 50],
] as const;

/** The shares of all sessions are known, and none is an estimate. */
const READ = (rows: readonly string[]) =>
  rows.filter((row) => row.includes("%")).length === 3 && !rows.join().includes("~");

async function open(options: AppTerminalOptions = {}): Promise<void> {
  terminal = await native.openApp({
    columns: 80,
    rows: 24,
    ...options,
    environment: { TZ: "UTC", ...options.environment },
  });
  await terminal.until(READ);
}

describe("the screens on a real server", () => {
  it.each(SIZES)("at %i × %i", async (columns, rows) => {
    await open({ columns, rows });
    await expectGolden(terminal, `sessions-${columns}x${rows}`);
    await terminal.press("Enter");
    await terminal.until("call_1a");
    await terminal.press("j", "j", "Space");
    await terminal.until("Selected: 1 part");
    await expectGolden(terminal, `parts-${columns}x${rows}`);
    await terminal.press("p");
    await terminal.until("y PRUNE");
    await expectGolden(terminal, `preview-${columns}x${rows}`);
  });

  it.each([
    ["fr", "fr_FR.UTF-8", "│ en direct │ plugin : prêt"],
    ["zh-CN", "zh_CN.UTF-8", "│ 实时 │ 插件：就绪"],
  ] as const)("in %s, by --lang and by LC_ALL %s", async (language, locale, connected) => {
    await open({ flags: ["--lang", language], environment: { LC_ALL: "en_US.UTF-8" }, connected });
    await expectGolden(terminal, `sessions-${language}`);
    const asked = masked(terminal.screen());
    await terminal.press("Enter");
    await terminal.until("call_1a");
    await terminal.press("A", "p");
    await terminal.until(/y .*\n*$/);
    await expectGolden(terminal, `preview-${language}`);
    await terminal.close();

    await open({ environment: { LC_ALL: locale, LANG: "en_US.UTF-8" }, connected });
    await terminal.until(() => masked(terminal.screen()) === asked);
  });
});

/** Sequences that give text or background a colour. Bold, dim, underlined and reset are none. */
const COLOURS = /\u001b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m/;

describe("without colour", () => {
  /** Through every screen. Answers the screen with a selection and a preview. */
  async function lookAround(environment: Record<string, string>): Promise<string> {
    await open({ environment });
    await terminal.press("Enter");
    await terminal.until("call_1a");
    await terminal.press("j", "j", "Space");
    await terminal.until("Selected: 1 part");
    const selection = terminal.text();
    await terminal.press("Enter");
    await terminal.until("lamp lamp");
    await terminal.press("/");
    await terminal.type("lamp");
    await terminal.press("Enter", "Esc", "p");
    await terminal.until("y PRUNE");
    await terminal.press("Esc", "e");
    await terminal.until("connected");
    await terminal.press("Esc", "?");
    await terminal.until(/^Keys/);
    return selection;
  }

  it("NO_COLOR writes no colour at all, and everything is still told apart", async () => {
    const selection = await lookAround({ NO_COLOR: "1" });
    expect(terminal.raw()).not.toMatch(COLOURS);
    expect(selection.match(/▸/g)).toHaveLength(1);
    expect(selection).toMatch(/^▸ +\[x\] read +\/project\/call_1a/m);
    expect(selection.match(/\[ \]/g)).toHaveLength(8);
  });

  it("is not how it is otherwise", async () => {
    await lookAround({});
    expect(terminal.raw()).toMatch(COLOURS);
  });
});

describe("a resize while previewing", () => {
  it("leaves the frame whole and the preview of the same plan, which y then prunes", async () => {
    await native.importSession("ses_resized", "Dredge the harbour", [
      assistantMessage("msg_resized", [
        textPart("Kept."),
        toolPart("call_r1", "mud ".repeat(5_000)),
        toolPart("call_r2", "sand ".repeat(500)),
      ]),
    ]);
    terminal = await native.openApp({ columns: 80, rows: 24 });
    const stored = native.remember();
    await terminal.press("/");
    await terminal.type("Dredge");
    await terminal.press("Enter", "Enter");
    await terminal.until("call_r2");
    await terminal.press("j", "Space", "p");
    await terminal.until("y PRUNE");
    await terminal.quiet();
    const before = terminal.screen();

    for (const [columns, rows] of [...SIZES, [41, 10], [100, 12], [80, 24]] as const) {
      terminal.resize(columns, rows);
      await terminal.until(() => isWhole(rows));
      expect(terminal.text(), `${columns} × ${rows}`).toMatch(/goes: 1 part/);
      expect(terminal.text(), `${columns} × ${rows}`).toContain("Deletes 1 part (20.2 kB)");
    }
    await terminal.until(() => terminal.text() === before.join("\n").trimEnd());
    expect(stored.changes()).toEqual([]);

    await terminal.press("y");
    await terminal.until("Pruned 1 part in 1 message");
    const { rows } = native.remember();
    expect(String(rows.get("msg_resized")?.data)).toBe(String(stored.without("msg_resized", [1])));
  });

  /** The title on top and the keys at the bottom, each line once. */
  function isWhole(rows: number): boolean {
    const screen = terminal.screen();
    const once = (text: string) => screen.filter((row) => row.includes(text)).length === 1;
    const isFilled = screen[0]?.startsWith("Preview ") && screen[rows - 2]?.startsWith("y PRUNE");
    return isFilled === true && screen[rows - 1] === "" && ["Preview ", "│ live", "y PRUNE"].every(once);
  }
});

describe("for a screen reader", () => {
  it.each([
    ["--screen-reader", ["--screen-reader"], {}],
    ["INK_SCREEN_READER", [], { INK_SCREEN_READER: "true" }],
  ])("%s shows one linear view in the ordinary flow, and can be left", async (_, flags, variables) => {
    terminal = openTerminal({
      arguments: ["--server", native.daemon.url, ...flags],
      environment: { ...native.daemon.environment, ...variables },
    });
    await terminal.until("Row 1 of");
    expect([terminal.buffer(), terminal.text()]).toEqual(["normal", expect.not.stringMatching(/[▸│]/)]);
    await terminal.until(/Row 1 of \d, Repair the lighthouse lamp/);
    await terminal.press("Enter");
    await terminal.until(/Parts of Repair the lighthouse lamp[\s\S]*Row 1 of 12/);
    await terminal.press("j", "Space");
    await terminal.until(/Row 2 of 12, selected, reasoning/);
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(terminal.raw()).not.toContain("\u001b[?1049h");
  });
});
