import { afterEach, describe, expect, it } from "vitest";
import { openTerminal, type Terminal } from "../support/index.ts";
import { drawSvg } from "./svg.ts";

const PRINT = String.raw`
process.stdout.write(
  "plain & <tag>  apart\r\n" +
  "\x1b[31mred\x1b[0m \x1b[1;38;2;1;2;3mexact\x1b[0m \x1b[38;5;46mcube\x1b[0m \x1b[38;5;244mgrey\x1b[0m\r\n" +
  "\x1b[7m\x1b[2mcursor \x1b[22mline\x1b[0m\r\n" +
  "港 wide\r\nend");
setTimeout(() => {}, 60_000);
`;

describe("a picture of the screen", () => {
  let terminal: Terminal;
  afterEach(() => terminal.close());

  it("has the text, the colours and the places of the terminal's cells", async () => {
    terminal = openTerminal({
      program: { file: process.execPath, arguments: ["-e", PRINT] },
      columns: 40,
      rows: 6,
    });
    await terminal.until("end");
    const svg = drawSvg(terminal.cells(), "A <title>");
    const text = (words: string) =>
      new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)" textLength="([\\d.]+)".* (fill=.*)>${words}</text>`).exec(
        svg,
      );
    const placeOf = (words: string) => text(words)?.slice(1, 4).map(Number);

    expect(svg).toContain('viewBox="0 0 368 146"');
    expect(svg).toContain("<title>A &lt;title&gt;</title>");
    expect(placeOf("plain &amp; &lt;tag&gt;")).toEqual([16, 30, 109.2]);
    expect(placeOf("apart"), "two spaces part the words").toEqual([142, 30, 42]);
    expect(text("red")?.[4]).toBe('fill="#f0787c"');
    expect(text("exact")?.[4]).toBe('fill="#010203" font-weight="bold"');
    expect(text("cube")?.[4]).toBe('fill="#00ff00"');
    expect(text("grey")?.[4]).toBe('fill="#808080"');
    expect(placeOf("港 wide"), "a wide character takes two cells").toEqual([16, 87, 58.8]);

    expect(text("cursor")?.[4]).toBe('fill="#15181e" fill-opacity="0.65"');
    expect(text("line")?.[4]).toBe('fill="#15181e"');
    const behind = [...svg.matchAll(/<rect x="16" y="54" width="([\d.]+)" .*fill="#d5dae3"/g)];
    expect(
      behind.map(([, width]) => width),
      "one background without seams",
    ).toEqual(["92.4"]);
  });
});
