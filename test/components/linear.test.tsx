import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../src/words/index.ts";
import { exampleHistory } from "./example.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

function openLinear(language: (typeof LANGUAGES)[number] = "en"): Promise<OpenedScreen> {
  return openScreen({ prepare: exampleHistory, isLinear: true, language });
}

describe("the linear view for a screen reader", () => {
  it("says the screen, the row that the cursor is on, and the keys, without columns or marks", async () => {
    const { frame } = await openLinear();
    const [title, ...rest] = frame().split("\n");
    expect(title).toBe("Sessions, 7, by technical bytes");
    expect(rest.join(" ")).toMatch(
      /^Row 1 of 7, Migrate the orders table to the new schema, updated 4m.*, 48 messages, 131 parts, 4\.1 MB, 96% of the session, idle /,
    );
    expect(rest.join("\n")).toContain("Enter open, / filter, s sort");
    expect(frame()).not.toMatch(/[▸│]/);
  });

  it("says whether a part is selected, and what is selected altogether", async () => {
    const { frame, type } = await openLinear();
    await type("enter", "j");
    expect(frame()).toContain("Row 2 of 12, not selected, reasoning, The orders table is read");
    await type("space");
    expect(frame()).toContain("Row 2 of 12, selected, reasoning");
    expect(frame()).toContain("Selected: 1 part in 1 message");
    await type("G");
    expect(frame()).toContain("Row 12 of 12, cannot be selected, bash, npm test, running");
  });

  it("says what a preview will do and how to confirm it", async () => {
    const { frame, type } = await openLinear();
    await type("enter", "A", "p");
    expect(frame()).toContain("Row 1 of 10, message 1, 2:10 PM, goes: 3 parts, 181 kB, stays: 1 part, 100 B");
    expect(frame()).toContain("It is irreversible. y prunes; any other key does not.");
    await type("y");
    expect(frame()).toContain("Pruned 7 parts in 3 messages");
  });

  it("reads content and prompts", async () => {
    const { frame, type } = await openLinear();
    await type("enter", "j", "j", "j", "enter");
    expect(frame()).toContain("export class Orders {");
    await type("/", "orders");
    expect(frame()).toContain("Search:, orders");
  });

  it.each(LANGUAGES)("speaks %s", async (language) => {
    const { frame, type } = await openLinear(language);
    const sessions = frame();
    await type("enter", "j", "space");
    await expect(`${sessions}\n\n${frame()}\n`).toMatchFileSnapshot(`golden/linear-${language}.txt`);
  });
});
