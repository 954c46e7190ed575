import { describe, expect, it } from "vitest";
import { exampleHistory } from "./example.ts";
import { message, outline, tool } from "./fake-ports.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

async function openParts(): Promise<OpenedScreen> {
  const screen = await openScreen({ prepare: exampleHistory, rows: 24 });
  await screen.type("enter");
  return screen;
}

/** The labels of the selected rows on the screen. */
function selected({ frame }: OpenedScreen): string[] {
  return frame()
    .split("\n")
    .filter((line) => line.includes("[x]"))
    .map((line) => line.slice(8, 18).trim());
}

function total({ app }: OpenedScreen): number {
  return app.store.getState().selection.model.totals("ses_migrate").parts;
}

describe("selecting", () => {
  it("takes a part in and out with Space, and a message's shown parts on its row", async () => {
    const screen = await openParts();
    await screen.type("j", "space");
    expect(selected(screen)).toEqual(["reasoning"]);
    await screen.type("space");
    expect(selected(screen)).toEqual([]);
    await screen.type("k", "space");
    expect(selected(screen)).toEqual(["reasoning", "grep", "read"]);
    await screen.type("space");
    expect(selected(screen)).toEqual([]);
  });

  it("takes all parts of this message with a, and completes a part of them first", async () => {
    const screen = await openParts();
    await screen.type("j", "space", "j", "a");
    expect(selected(screen)).toEqual(["reasoning", "grep", "read"]);
    await screen.type("a");
    expect(selected(screen)).toEqual([]);
  });

  it("takes everything shown with A, never what cannot be pruned, and empties with -", async () => {
    const screen = await openParts();
    await screen.type("A");
    expect(total(screen)).toBe(7);
    await screen.type("-");
    expect(total(screen)).toBe(0);
    await screen.type("-");
    expect(total(screen)).toBe(0);
  });

  it("shows kinds with t, r and x, and A takes only what is shown", async () => {
    const screen = await openParts();
    await screen.type("r", "A", "x");
    expect(selected(screen)).toEqual(["reasoning", "reasoning"]);
    await screen.type("t");
    expect(screen.frame()).not.toContain("reasoning  The");
    expect(screen.frame()).toContain("tools only");
    await screen.type("-", "A", "x");
    expect(selected(screen)).not.toContain("reasoning");
    expect(total(screen)).toBe(5);
  });

  it("inverts what is shown with *", async () => {
    const screen = await openParts();
    await screen.type("j", "space", "*");
    expect(total(screen)).toBe(6);
    expect(selected(screen)).not.toContain("reasoning  The orders");
    await screen.type("*");
    expect(total(screen)).toBe(1);
  });

  it("asks for a size with >", async () => {
    const screen = await openParts();
    await screen.type(">", "100k", "enter");
    expect(selected(screen)).toEqual(["read", "bash"]);
  });

  it("says so when the size is none, and takes nothing on Esc", async () => {
    const screen = await openParts();
    await screen.type(">", "big", "enter");
    expect(screen.frame()).toContain("This is no size.");
    await screen.type("ctrl-u", "1k");
    expect(screen.frame()).not.toContain("This is no size.");
    await screen.type("escape");
    expect(total(screen)).toBe(0);
  });

  it("keeps the newest messages that are asked for with <", async () => {
    const screen = await openParts();
    await screen.type("<", "2", "enter");
    expect(total(screen)).toBe(6);
    expect(selected(screen)).not.toContain("webfetch");
  });

  it("selects by kind and by tool from the menu", async () => {
    const screen = await openParts();
    await screen.type("+");
    expect(screen.frame()).toContain("Tool webfetch");
    await screen.type("j", "enter");
    expect(selected(screen)).toEqual(["reasoning", "reasoning"]);
    await screen.type("+", "G", "enter");
    expect(selected(screen)).toEqual(["reasoning", "grep", "reasoning"]);
    await screen.type("+", "j", "j", "enter", "1M", "enter");
    expect(selected(screen)).toEqual(["reasoning", "grep", "bash", "reasoning"]);
    await screen.type("+", "j", "j", "j", "j", "enter");
    expect(total(screen)).toBe(3);
    await screen.type("+", "G", "k", "k", "k", "k", "enter");
    expect(total(screen)).toBe(0);
  });

  it("says so when there is nothing more to select", async () => {
    const screen = await openParts();
    await screen.type("A", "A");
    expect(screen.frame()).toContain("Nothing more of what is shown can be selected that way.");
  });

  it("survives filtering, sorting, leaving and coming back", async () => {
    const screen = await openParts();
    await screen.type("j", "space", "/", "webfetch", "enter");
    expect(selected(screen)).toEqual([]);
    await screen.type("A");
    expect(total(screen)).toBe(2);
    await screen.type("escape", "s", "s");
    expect(screen.frame()).toContain("largest first");
    expect(selected(screen).sort()).toEqual(["reasoning", "webfetch"]);
    await screen.type("escape");
    expect(screen.frame()).toContain("Selected: 2 parts in 1 session. p previews them.");
    await screen.type("enter");
    expect(selected(screen).sort()).toEqual(["reasoning", "webfetch"]);
  });

  it("survives a refresh that moves and resizes everything", async () => {
    const screen = await openParts();
    await screen.type("A");
    const before = screen.history.snapshot().outlines.get("ses_migrate");
    screen.history.putOutline(
      outline("ses_migrate", [
        message("msg_0", [tool(0, { toolID: "call_new" })]),
        ...(before?.messages ?? []).map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part })) })),
      ]),
    );
    await screen.drawn();
    expect(total(screen)).toBe(7);
    expect(screen.frame()).not.toContain("left the selection");
  });

  it("names what left it when somebody else pruned", async () => {
    const screen = await openParts();
    await screen.type("A", "j", "j", "j");
    const line = (frame: string) => frame.split("\n").findIndex((row) => row.startsWith("▸"));
    const before = line(screen.frame());
    screen.history.notify({
      at: 1,
      kind: "pruned",
      sessionID: "ses_migrate",
      messageID: "msg_2",
      byUs: false,
    });
    screen.history.removeParts("ses_migrate", "msg_2", [0, 1]);
    await screen.drawn();
    expect(screen.frame()).toContain("2 parts left the selection: somebody else pruned or changed them.");
    expect(line(screen.frame())).toBe(before);
    expect(screen.frame()).toMatch(/▸ +\[x\] read/);
    expect(total(screen)).toBe(5);
  });

  it("says so when nothing is selected and p is pressed", async () => {
    const screen = await openParts();
    await screen.type("p");
    expect(screen.frame()).toContain("Nothing is selected.");
    expect(screen.pruning.planned).toEqual([]);
  });
});
