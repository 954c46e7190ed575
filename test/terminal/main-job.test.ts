import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  assistantMessage,
  reasoningPart,
  textPart,
  toolPart,
  userMessage,
} from "../native/support/messages.ts";
import { type AppDaemon, type Memory, startAppDaemon, type Terminal } from "./support/index.ts";

const IRREVERSIBLE = "It is irreversible. y prunes; any other key does not.";
const ODD_TEXT = 'Kept: "quotes", \\u0041, \u2028, 🏮, שלום, e\u0301, a tab\tand a line\nbreak.';

let native: AppDaemon;
let terminal: Terminal;
let stored: Memory;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
});
afterAll(() => native?.remove());

/** Two complete messages of three technical parts each, every one with text around them, in a session of its own. */
async function importLamp(sessionID: string, title: string): Promise<void> {
  const name = sessionID.replace("ses_", "");
  const content = (number: number) => [
    textPart(ODD_TEXT),
    reasoningPart(`Thought ${number} about ${name}.`),
    toolPart(`call_${name}_${number}a`, "lamp ".repeat(400 * number)),
    textPart(`Text ${number} in between.`),
    toolPart(`call_${name}_${number}b`, "oil ".repeat(900 * number)),
  ];
  await native.importSession(sessionID, title, [
    userMessage(`msg_${name}_0`, "Repair it."),
    assistantMessage(`msg_${name}_1`, content(1)),
    assistantMessage(`msg_${name}_2`, content(2)),
  ]);
}

beforeAll(async () => {
  await importLamp("ses_lamp", "Repair the lighthouse lamp");
  await importLamp("ses_shown", "Dredge the harbour");
  await importLamp("ses_kept", "Paint the bridge");
  await importLamp("ses_filtered", "Count the buoys");
});

beforeEach(async () => {
  terminal = await native.openApp();
  stored = native.remember();
});
afterEach(() => terminal?.close());

/** From the list of sessions to the parts of the one whose title has this word. */
async function open(word: string, part: string): Promise<void> {
  await terminal.press("/");
  await terminal.type(word);
  await terminal.press("Enter", "Enter");
  await terminal.until(part);
}

/** The rows of the screen that show a part, by whether it is selected. */
const marked = (mark: "[x]" | "[ ]") => terminal.screen().filter((row) => row.includes(mark));

/** What natively remains of a message, as `text`, `reasoning` and the ids of tools. */
async function remains(sessionID: string, messageID: string): Promise<string[]> {
  const messages = await native.messages(sessionID);
  const message = messages.find(({ id }) => id === messageID);
  return (message?.content ?? []).map((part) => ("id" in part ? String(part.id) : part.type));
}

/** Every text part is the same bytes as before, and of each named message exactly the named parts are gone. */
function expectGone(gone: Readonly<Record<string, readonly number[]>>): void {
  expect(stored.changes()).toEqual(
    Object.keys(gone)
      .map((messageID) => `session_message ${messageID}: data`)
      .sort(),
  );
  expect(stored.receipts()).toBe(Object.keys(gone).length);
  const { rows } = native.remember();
  for (const [messageID, { texts }] of stored.rows) expect(rows.get(messageID)?.texts).toEqual(texts);
  for (const [messageID, indexes] of Object.entries(gone)) {
    expect(String(rows.get(messageID)?.data)).toBe(String(stored.without(messageID, indexes)));
  }
}

describe("finding a session", () => {
  it("narrows the list while the filter is typed, and brings it back", async () => {
    expect(terminal.text()).toContain("Paint the bridge");
    await terminal.press("/");
    await terminal.type("LIGHTH lamp");
    await terminal.until("Sessions 1 of 4");
    expect(terminal.text()).toContain("Repair the lighthouse lamp");
    expect(terminal.text()).not.toContain("Paint the bridge");
    await terminal.press("Enter");
    await terminal.until("filter “LIGHTH lamp”");
    await terminal.press("Esc");
    await terminal.until("Paint the bridge");
    expect(stored.changes()).toEqual([]);
  });
});

describe("pruning a selection", () => {
  it("with Space prunes exactly the two parts that were selected, of two messages", async () => {
    await open("lamp", "call_lamp_1a");
    await terminal.press("j", "j", "Space");
    await terminal.until(/\[x\] read +\/project\/call_lamp_1a\.ts/);
    await terminal.press("Down", "Down", "Down", "Space");
    await terminal.until("Selected: 2 parts in 2 messages");
    expect(marked("[x]").join("\n")).toMatch(/call_lamp_1a[\s\S]*▸ +\[x\] reasoning/);
    expect(marked("[ ]")).toHaveLength(4);

    await terminal.press("p");
    await terminal.until(IRREVERSIBLE);
    expect(terminal.text()).toMatch(/goes: 1 part, .* stays: 4 parts/);
    expect(terminal.text()).toMatch(/Deletes 2 parts \(.*\) of 2 messages for good/);
    expect(stored.changes()).toEqual([]);

    await terminal.press("y");
    await terminal.until("Pruned 2 parts in 2 messages");
    expect(await remains("ses_lamp", "msg_lamp_1")).toEqual(["text", "reasoning", "text", "call_lamp_1b"]);
    expect(await remains("ses_lamp", "msg_lamp_2")).toEqual(["text", "call_lamp_2a", "text", "call_lamp_2b"]);
    expectGone({ msg_lamp_1: [2], msg_lamp_2: [1] });

    await terminal.press("Esc");
    await terminal.until("Parts of Repair the lighthouse lamp");
    await terminal.until(() => marked("[ ]").length === 4 && marked("[x]").length === 0);
    expect(terminal.text()).not.toContain("call_lamp_1a");
  });

  it("with A prunes everything that is shown", async () => {
    await open("harbour", "call_shown_1a");
    await terminal.press("A");
    await terminal.until("Selected: 6 parts in 2 messages");
    await terminal.press("p");
    await terminal.until(IRREVERSIBLE);
    await terminal.press("y");
    await terminal.until("Pruned 6 parts in 2 messages");
    expect(await remains("ses_shown", "msg_shown_1")).toEqual(["text", "text"]);
    expectGone({ msg_shown_1: [1, 2, 4], msg_shown_2: [1, 2, 4] });
    await terminal.press("Esc");
    await terminal.until("This session has no technical parts.");
  });

  it("with A under a filter leaves what the filter hides", async () => {
    await open("buoys", "call_filtered_1a");
    await terminal.press("/");
    await terminal.type("_2b");
    await terminal.press("Enter");
    await terminal.until(() => marked("[ ]").length === 1);
    await terminal.press("A");
    await terminal.until("Selected: 1 part in 1 message");
    await terminal.press("p");
    await terminal.until(IRREVERSIBLE);
    await terminal.press("y");
    await terminal.until("Pruned 1 part in 1 message");
    expectGone({ msg_filtered_2: [4] });
  });
});

describe("the preview", () => {
  const OTHERS: readonly (readonly [string, () => Promise<void>])[] = [
    ...["n", "N", "Y", "Enter", "Space", "Esc", "Up", "Down", "Left", "Right", "PgUp", "PgDn", "Home", "End"],
    ...[
      "Tab",
      "Backspace",
      "ctrl-y",
      "ctrl-d",
      "a",
      "A",
      "p",
      "x",
      "r",
      "R",
      "c",
      "C",
      "i",
      "e",
      "?",
      "1",
      "/",
    ],
  ].map((key) => [key, () => terminal.press(key)] as const);
  const ODD: typeof OTHERS = [
    ["Alt-y", () => terminal.type("\u001by")],
    ["a pasted y", () => terminal.type("\u001b[200~y\u001b[201~")],
    ["a letter that looks like y", () => terminal.type("у")],
    ["a full-width y", () => terminal.type("ｙ")],
  ];

  /** From wherever a key has led back to a fresh preview of everything in the session. */
  async function previewAgain(): Promise<void> {
    for (let attempt = 0; !terminal.text().startsWith("Parts of Paint the bridge"); attempt += 1) {
      if (attempt === 5) throw new Error(`There is no way back from\n${terminal.text()}`);
      await terminal.press("Esc");
      await terminal.quiet(100);
    }
    await terminal.press("A", "p");
    await terminal.until(IRREVERSIBLE);
  }

  it("prunes nothing on any other key than y", async () => {
    await open("bridge", "call_kept_1a");
    for (const [name, press] of [...OTHERS, ...ODD]) {
      await previewAgain();
      await press();
      await terminal.quiet(100);
      expect(terminal.text(), name).not.toMatch(/Pruned|Pruning|Result/);
      expect(stored.changes(), name).toEqual([]);
    }
    expect(stored.receipts()).toBe(0);
    await previewAgain();
    await terminal.press("y");
    await terminal.until("Pruned 6 parts in 2 messages");
    expect(stored.receipts()).toBe(2);
  });

  it.each(["q", "ctrl-c"])("prunes nothing when it is left with %s", async (key) => {
    await open("buoys", "call_filtered_1a");
    await terminal.press("A", "p");
    await terminal.until(IRREVERSIBLE);
    await terminal.press(key);
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(stored.changes()).toEqual([]);
  });
});

describe("leaving", () => {
  it("gives the terminal back as it was, with exit code 0", async () => {
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["alternate", true]);
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["normal", false]);
    expect(terminal.text()).toBe("");
  });

  it("has shown the password nowhere", async () => {
    await terminal.press("?", "Esc", "e", "q");
    await terminal.ended;
    expect(terminal.raw()).not.toContain(native.daemon.password);
  });
});
