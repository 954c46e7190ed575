import { describe, expect, it } from "vitest";
import { cellsOf } from "../../src/text/index.ts";
import { LANGUAGES, wordsFor } from "../../src/words/index.ts";
import { installedPlugin, missingPlugin } from "./fake-plugin.ts";
import { besidePublished, changed, openOver, otherVersion } from "./plugin-example.ts";

describe("the plugin's screen as a person reads it", () => {
  const everything = { ...changed, ...besidePublished };

  it.each([
    [60, 15],
    [80, 24],
    [200, 50],
  ])("at %i × %i", async (columns, rows) => {
    const screen = await openOver(everything, { columns, rows });
    await screen.type("I");
    const looked = screen.frame();
    await screen.type("d");
    const asked = screen.frame();
    await expect(`${looked}\n\n${asked}\n`).toMatchFileSnapshot(`golden/plugin-${columns}x${rows}.txt`);
  });

  it.each(LANGUAGES)("in %s, on a screen and to a screen reader", async (language) => {
    const frames: string[] = [];
    for (const isLinear of [false, true]) {
      const screen = await openOver(everything, { language, isLinear });
      await screen.type("I");
      frames.push(screen.frame());
      await screen.type("d");
      frames.push(screen.frame());
      await screen.type("y");
      frames.push(screen.frame());
    }
    await expect(`${frames.join("\n\n")}\n`).toMatchFileSnapshot(`golden/plugin-${language}.txt`);
  });

  it.each(LANGUAGES)("shows every sentence and the way to agree in 60 × 15 in %s", async (language) => {
    for (const inspection of [everything, otherVersion, missingPlugin()]) {
      const screen = await openOver(inspection, { language, columns: 60, rows: 15 });
      for (const keys of [["I"], ["u"], ["escape"], ["d"]]) {
        await screen.type(...keys);
        const lines = screen.frame().split("\n");
        expect(lines).toHaveLength(14);
        for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(60);
        if (screen.app.store.getState().pluginView?.question === undefined) continue;
        expect(lines.at(-1)).toMatch(/^y /);
        expect(lines.slice(0, -3).join("\n")).toMatch(/\by\b/);
        if (inspection !== everything) continue;
        const lost = wordsFor(language).pluginScreen.loses("index.js, notes.txt");
        expect(screen.frame().replace(/\s+/g, " ")).toContain(lost);
      }
    }
  });

  it("shows nothing that a terminal could obey", async () => {
    const hostile = installedPlugin({
      installed: {
        content: "changed",
        copy: { version: "\u001b[2J1", hash: "dddd" },
        changedFiles: ["\u001b]0;owned\u0007.js"],
      },
    });
    const screen = await openOver(hostile);
    await screen.type("I", "u");
    expect(screen.frame()).not.toMatch(/[\u0007\u001b]/);
    expect(screen.frame()).toContain("owned");
  });
});
