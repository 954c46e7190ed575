import { describe, expect, it } from "vitest";
import { keyNames } from "../../components/key-names.ts";

describe("the keys in what a terminal sends", () => {
  it("come one by one when several are typed at once", () => {
    expect(keyNames("jj k\r")).toEqual(["j", "j", "space", "k", "enter"]);
    expect(keyNames("漢🚀")).toEqual(["漢", "🚀"]);
  });

  it("have names where they are no characters", () => {
    expect(keyNames("\x15")).toEqual(["ctrl-u"]);
    expect(keyNames("\x7f\b\t\x1a")).toEqual(["backspace", "backspace", "tab", "ctrl-z"]);
    expect([keyNames("\x1b"), keyNames("\x1b\x1b")]).toEqual([["escape"], ["escape"]]);
  });

  it.each([
    ["up", ["\x1b[A", "\x1bOA", "\x1b[1;5A"]],
    ["down", ["\x1b[B", "\x1bOB", "\x1b[1;2B"]],
    ["home", ["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]],
    ["end", ["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]],
    ["pageup", ["\x1b[5~", "\x1b[5;5~"]],
    ["pagedown", ["\x1b[6~"]],
    ["backspace", ["\x1b[3~"]],
    ["tab", ["\x1b[Z"]],
  ])("are %s, however a terminal writes it", (name, sequences) => {
    for (const sequence of sequences) expect(keyNames(sequence)).toEqual([name]);
  });

  it.each([
    "\x1b[?62;22c",
    "\x1b[24;80R",
    "\x1b[I",
    "\x1b[<0;12;7M",
    "\x1b[<0;12;7y",
    "\x1bOP",
    "\x1b[27;5;121~",
    "\x1b[31m",
    "\x1b[6n",
    "\x1b[31;5~",
    "\x1b[121u",
    "\x1b]0;title\x07",
  ])("are not the letters of a report, or of a key without a meaning here: %j", (report) => {
    expect(keyNames(report)).toEqual([]);
  });

  it("are none where Alt is held", () => {
    expect([keyNames("\x1by"), keyNames("\x1b\r")]).toEqual([[], []]);
  });

  it("are themselves where a bracket is typed", () => {
    expect(keyNames("[")).toEqual(["["]);
  });
});
