import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, textPart, toolPart } from "../native/support/messages.ts";
import { type AppDaemon, importWreck, type Memory, startAppDaemon, type Terminal } from "./support/index.ts";

const MESSAGES = 3_000;
/** Reading and pruning thousands of messages on a loaded machine. */
const CLEANED = 90_000;

let native: AppDaemon;
let terminal: Terminal;
let stored: Memory;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  await importWreck(native, MESSAGES);
  await native.importSession("ses_buoy", "Count the buoys", [
    assistantMessage("msg_buoy", [textPart("Eleven."), toolPart("call_buoy", "buoy ".repeat(50))]),
  ]);
  terminal = await native.openApp();
  stored = native.remember();
});
afterAll(async () => {
  await terminal?.close();
  await native?.remove();
});

const number = (pattern: RegExp) => Number(pattern.exec(terminal.text())?.[1]?.replace(/,/g, ""));
/** The messages of the session that changed in the database since the start. */
const changed = () =>
  stored
    .changes()
    .map((change) => /^session_message (msg_wreck_\d+): data$/.exec(change)?.[1])
    .filter((id): id is string => id !== undefined);

describe("cleaning a whole session of thousands of messages", () => {
  it("shows the plan first, and asks for its number, which alone begins it", async () => {
    await terminal.until(/▸ +Raise the wreck/);
    await terminal.press("c");
    await terminal.until(/Deletes 6,000 parts \(.*\) of 3,000 messages for good, in 47 requests/, CLEANED);
    await terminal.until("It is irreversible. y asks for the number 6000 before it prunes.");
    for (const answer of ["", "y", "600", "60000", "6,000"]) {
      await terminal.press("y");
      await terminal.until("Type 6000 to prune 6,000 parts for good:");
      if (answer !== "") await terminal.type(answer);
      await terminal.press("Enter");
      await terminal.until("This is not the number. Nothing was pruned.");
      await terminal.press("Esc");
      await terminal.until((rows) => !rows.join().includes("Type 6000"));
    }
    expect([stored.changes(), stored.receipts()]).toEqual([[], 0]);
  });

  it("stops at Esc, and its summary is what the database says", async () => {
    await terminal.press("y");
    await terminal.type("6000");
    await terminal.press("Enter");
    await terminal.until(/\b[1-9][\d,]* of 3,000 messages/, CLEANED);
    expect(terminal.text()).toMatch(/\[#*-+\] +\d+%/);
    await terminal.press("Esc");
    await terminal.until(/Pruned [\d,]+ parts in [\d,]+ messages/, CLEANED);

    const pruned = number(/parts in ([\d,]+) messages/);
    const skipped = number(/Skipped ([\d,]+) messages/);
    expect(pruned).toBeGreaterThan(0);
    expect(skipped).toBeGreaterThan(0);
    expect(pruned + skipped).toBe(MESSAGES);
    expect(number(/Pruned ([\d,]+) parts/)).toBe(2 * pruned);
    expect([changed().length, stored.receipts()]).toEqual([pruned, pruned]);
    const { rows } = native.remember();
    for (const id of changed()) {
      expect(String(rows.get(id)?.data)).toBe(String(stored.without(id, [1, 2])));
    }
  });

  it("goes on with what is left, when it is asked for again", async () => {
    const before = changed().length;
    await terminal.press("Esc");
    await terminal.until(/Sessions 2/);
    await terminal.press("c");
    const left = MESSAGES - before;
    await terminal.until(new RegExp(`of ${left.toLocaleString("en")} messages? for good`), CLEANED);
    await terminal.press("y");
    await terminal.type(String(2 * left));
    await terminal.press("Enter");
    await terminal.until(new RegExp(`in ${left.toLocaleString("en")} messages?:`), CLEANED);
    expect([changed().length, stored.receipts()]).toEqual([MESSAGES, MESSAGES]);
    expect(stored.changes().filter((change) => change.includes("msg_buoy"))).toEqual([]);
  });
});

describe("a selection of more than five hundred parts", () => {
  afterEach(() => terminal.press("Esc"));

  it("is confirmed by its number as well", async () => {
    const content = Array.from({ length: 501 }, (_, n) => toolPart(`call_many_${n}`, `output ${n}`));
    await native.importSession("ses_many", "Many at once", [
      assistantMessage("msg_many", [textPart("Kept."), ...content]),
    ]);
    await terminal.press("Esc");
    await terminal.until(/Sessions \d/);
    await terminal.press("/");
    await terminal.type("Many at once");
    await terminal.press("Enter");
    await terminal.until(/▸ +Many at once/);
    await terminal.press("Enter");
    await terminal.until("call_many_0");
    await terminal.press("A");
    await terminal.until("Selected: 501 parts");
    await terminal.press("p");
    await terminal.until("y asks for the number 501");
    const before = native.remember();
    await terminal.press("y");
    await terminal.until("Type 501 to prune 501 parts for good:");
    expect(before.changes()).toEqual([]);
    await terminal.type("501");
    await terminal.press("Enter");
    await terminal.until("Pruned 501 parts in 1 message");
    expect((await native.messages("ses_many"))[0]?.content).toEqual([textPart("Kept.")]);
  });
});
