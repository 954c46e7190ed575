import { describe, expect, it } from "vitest";
import { createApp } from "../../src/state/index.ts";
import { BINDINGS, bindingsOf, type KeyPlace } from "../../src/state/key-table.ts";
import { cellsOf } from "../../src/text/index.ts";
import { LANGUAGES } from "../../src/words/index.ts";
import { exampleHistory } from "./example.ts";
import { FakePlugin } from "./fake-plugin.ts";
import { FakeHistory, FakePruning } from "./fake-ports.ts";
import { FakeSearch } from "./fake-search.ts";
import { openScreen } from "./open-screen.tsx";

const cleanup = {
  plan: () => new Promise<never>(() => undefined),
  run: () => new Promise<never>(() => undefined),
  interrupted: () => [],
};
const search = new FakeSearch();

describe("the help", () => {
  it("names every key of the table, and closes with ? or Esc", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, rows: 120, cleanup, search });
    await type("?");
    const shown = frame();
    for (const binding of BINDINGS) {
      const names = binding.keys
        .map((key) => (key.length === 1 ? key : undefined))
        .filter((key) => key !== undefined);
      for (const name of names) expect(shown).toMatch(new RegExp(`^.{0,16}\\S* ?${escaped(name)} `, "m"));
    }
    await type("?");
    expect(frame()).toContain("Sessions 7");
    await type("?", "escape");
    expect(frame()).toContain("Sessions 7");
  });

  it("starts with the screen that it was asked on", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory });
    await type("enter", "?");
    expect(frame().split("\n")[2]).toContain("Parts");
  });

  it("says at length below what the row under the cursor does", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, columns: 60, rows: 15 });
    await type("enter", "?", "j", "j", "j");
    expect(frame()).toContain("Selects the part, or all shown parts of the message, or");
    expect(frame()).toContain("takes them out again.");
  });
});

describe("the key table", () => {
  it("gives no key two meanings at one place", async () => {
    const { app } = await openScreen({ prepare: exampleHistory, cleanup, search });
    const state = app.store.getState();
    const places: KeyPlace[] = [
      "sessions",
      "parts",
      "detail",
      "preview",
      "summary",
      "interrupted",
      "plugin",
      "prompt",
    ];
    for (const place of places) {
      const here = [
        ...bindingsOf(place, state),
        ...(place === "prompt" ? [] : bindingsOf("everywhere", state)),
      ];
      const keys = here.flatMap((binding) => binding.keys);
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  });

  it("confirms with y alone, and only where a plan is shown or a question is asked", () => {
    const confirming = BINDINGS.filter(({ action }) => action === "confirm" || action === "agree");
    expect(confirming.map(({ keys, on }) => ({ keys, on }))).toEqual([
      { keys: ["y"], on: ["preview", "cleanup"] },
      { keys: ["y"], on: ["interrupted", "plugin"] },
    ]);
    expect(BINDINGS.filter((binding) => binding.keys.includes("y"))).toEqual(confirming);
  });
});

describe("ctrl-z", () => {
  const portsOf = (history: FakeHistory) => ({
    history,
    pruning: new FakePruning(history),
    plugin: new FakePlugin(),
  });

  it("asks to be put in the background, on every screen and in no prompt", () => {
    let asked = 0;
    const history = new FakeHistory();
    exampleHistory({ history });
    const app = createApp(portsOf(history), {
      size: { columns: 80, rows: 24 },
      onSuspend() {
        asked += 1;
      },
    });
    for (const key of ["ctrl-z", "enter", "ctrl-z", "/", "ctrl-z"]) app.press(key);
    expect(asked).toBe(2);
    expect(app.store.getState().prompt?.text).toBe("");
    app.close();
  });

  it("is neither bound nor named where it is not possible", () => {
    const app = createApp(portsOf(new FakeHistory()), { size: { columns: 80, rows: 24 } });
    app.press("ctrl-z");
    const names = bindingsOf("everywhere", app.store.getState()).map((binding) => binding.action);
    expect(names).not.toContain("suspend");
    app.close();
  });
});

describe("the key line", () => {
  it.each(LANGUAGES)("fits 60 columns and keeps help and quit in %s", async (language) => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, language, columns: 60, rows: 15 });
    for (const keys of [[], ["enter"], ["A"], ["p"]]) {
      await type(...keys);
      const line = frame().split("\n").at(-1) ?? "";
      expect(cellsOf(line)).toBeLessThanOrEqual(60);
      expect(line).toMatch(/\? \S+ +q \S+$/);
    }
  });

  it("shows only what works now", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory });
    const line = () => frame().split("\n").at(-1);
    expect(line()).not.toContain("Esc");
    await type("/", "login", "enter");
    expect(line()).toContain("Esc back");
    await type("escape", "enter");
    expect(line()).toContain("Space select");
    await type("/");
    expect(line()).toBe("Enter accept  Esc cancel");
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
