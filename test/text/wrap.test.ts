import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf, sanitise, sanitiseLine, wrapStarts } from "../../src/text/index.ts";

function rowsOf(text: string, cells: number): string[] {
  const starts = wrapStarts(text, cells);
  return starts.map((start, row) => text.slice(start, starts[row + 1] ?? text.length));
}

describe("wrapping", () => {
  it("breaks between words where it can", () => {
    expect(rowsOf("the quick brown fox", 10)).toEqual(["the quick ", "brown fox"]);
  });

  it("breaks inside a word that does not fit", () => {
    expect(rowsOf("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });

  it("does not split a wide character", () => {
    expect(rowsOf("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
  });

  it("has one empty row for an empty line", () => {
    expect(rowsOf("", 5)).toEqual([""]);
  });

  it("loses nothing and keeps every row within its width", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.integer({ min: 2, max: 30 }),
        (raw, cells) => {
          const text = sanitise(raw);
          const rows = rowsOf(text, cells);
          expect(rows.join("")).toBe(text);
          for (const row of rows) expect(cellsOf(row)).toBeLessThanOrEqual(cells);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("puts tabs at their stops, counted in cells", () => {
    expect(sanitiseLine("a\tb")).toBe("a   b");
    expect(sanitiseLine("漢字\tb")).toBe("漢字    b");
    expect(sanitiseLine("\x1b[1m\tb")).toBe("␛   b");
  });
});
