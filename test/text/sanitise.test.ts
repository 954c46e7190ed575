import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf, cut, cutStart, oneLine, pad, REPLACEMENT, sanitise } from "../../src/text/index.ts";
import { HOSTILE } from "./hostile.ts";

/** Everything that a terminal acts on, hides, reorders or cannot draw. */
const FORBIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u{1F1E6}-\u{1F1FF}]/u;

/** Text as an attacker mixes it: any code unit, lone halves too, and the beginnings of escape sequences. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0, max: 0x9f }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0x10000, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
      fc.constantFrom(
        "\x1b[",
        "\x1b]0;",
        "\x1bP",
        "\u009b",
        "\x07",
        "\x1b\\",
        "0",
        ";",
        "m",
        "\u0301",
        "👩",
        "\u200d",
      ),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

describe("sanitise", () => {
  it("leaves printable text as it is", () => {
    const text = "src/state/ports.ts: «déjà vu», 漢字, Ελλάδα, 🚀 ~ € ½";
    expect(sanitise(text)).toBe(text);
  });

  it.each(Object.entries(HOSTILE))("lets nothing but text through: %s", (_, text) => {
    expect(sanitise(text)).not.toMatch(FORBIDDEN);
    expect(sanitise(text)).not.toBe("");
  });

  it("keeps in sight that something was there", () => {
    expect(sanitise("\x1b[31mred\x1b[0m")).toBe("␛red␛");
    expect(sanitise("\u009b31mred")).toBe("␛red");
    expect(sanitise("\x1b]0;owned\x07")).toBe("␛]0;owned␇");
    expect(sanitise("a\x00b\x7f")).toBe("a␀b␡");
    expect(sanitise("user\u202etxt.exe")).toBe(`user${REPLACEMENT}txt.exe`);
    expect(sanitise("a\u200bb")).toBe(`a${REPLACEMENT}b`);
    expect(sanitise("a\ud800b")).toBe(`a${REPLACEMENT}b`);
    expect(sanitise("\ue000")).toBe(REPLACEMENT);
  });

  it("keeps what a broken sequence would have swallowed", () => {
    expect(sanitise("\x1b]0;never ends, and rm -rf")).toBe("␛]0;never ends, and rm -rf");
    expect(sanitise("\x1bP the rest")).toBe("␛P the rest");
  });

  it("takes looks from emoji so that every terminal counts the same cells", () => {
    expect(sanitise("❤️")).toBe("❤");
    expect(sanitise("👍🏽")).toBe("👍");
    expect(sanitise("🇫🇷")).toBe("FR");
  });

  it("bounds how many marks one character carries", () => {
    expect(sanitise(`e${"\u0316".repeat(500)}`)).toBe(`e${"\u0316".repeat(4)}${REPLACEMENT}`);
    expect(sanitise("\u0316x")).toBe("◌\u0316x");
  });

  it("lets nothing but text through, whatever comes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitise(text)).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 2_000 },
    );
  });

  it("lets nothing but text through of random bytes, decoded as UTF-8 or Latin-1", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(sanitise(Buffer.from(bytes).toString("utf8"))).not.toMatch(FORBIDDEN);
        expect(sanitise(Buffer.from(bytes).toString("latin1"))).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes nothing when done twice", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitise(sanitise(text))).toBe(sanitise(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("cells", () => {
  it("counts wide, combining and emoji characters as terminals do", () => {
    expect(cellsOf("abc")).toBe(3);
    expect(cellsOf("漢字")).toBe(4);
    expect(cellsOf("e\u0316")).toBe(1);
    expect(cellsOf("🚀")).toBe(2);
    expect(cellsOf("ｆ")).toBe(2);
  });

  it("cuts to the cells that are there and shows the cut", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("漢字漢字", 5)).toBe("漢字…");
    expect(cut("漢字漢字", 4)).toBe("漢…");
    expect(cut("abc", 0)).toBe("");
    expect(cutStart("/home/ada/work/api", 9)).toBe("…work/api");
    expect(cutStart("漢字漢字", 4)).toBe("…字");
  });

  it("never exceeds its cells, and fills exactly what it pads to", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, cells, atEnd) => {
        const line = oneLine(text, cells, atEnd ? "end" : "start");
        expect(cellsOf(line)).toBeLessThanOrEqual(cells);
        expect(cellsOf(pad(line, cells))).toBe(cells);
      }),
      { numRuns: 2_000 },
    );
  });

  it("cuts a huge line before it looks at it", () => {
    const huge = "x".repeat(10_000_000);
    expect(oneLine(huge, 10)).toBe("xxxxxxxxx…");
    expect(oneLine(huge, 10, "end")).toBe("…xxxxxxxxx");
  });
});
