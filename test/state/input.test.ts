import { describe, expect, it } from "vitest";
import { cleanupConfirmation, isConfirmedBy, pruneConfirmation } from "../../src/state/confirmation.ts";
import { parseCount, parseSize } from "../../src/state/size-input.ts";

describe("a size as it is typed", () => {
  it.each([
    ["900", 900],
    ["100k", 100_000],
    ["1.5 MB", 1_500_000],
    ["1,5 Mo", 1_500_000],
    ["2MiB", 2_097_152],
    [" 3 G ", 3_000_000_000],
  ])("%s", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(["", "k", "-5", "1e3", "12 parsecs", "0x10", "1.2.3", "NaN"])("%s is none", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});

describe("a number of messages as it is typed", () => {
  it("is whole", () => {
    expect(parseCount(" 12 ")).toBe(12);
    expect(parseCount("0")).toBe(0);
    for (const text of ["", "-1", "1.5", "many", "99999999999"]) expect(parseCount(text)).toBeUndefined();
  });
});

describe("confirming", () => {
  const plan = (parts: number) => ({ messages: [], refused: [], parts, bytes: 0 });

  it("asks for the number above 500 parts, and for whole sessions always", () => {
    expect(pruneConfirmation(plan(500))).toEqual({ parts: 500, typed: false });
    expect(pruneConfirmation(plan(501))).toEqual({ parts: 501, typed: true });
    expect(cleanupConfirmation({ sessions: [], requests: 1, messages: 1, parts: 3, bytes: 9 })).toEqual({
      parts: 3,
      typed: true,
    });
  });

  it("takes the exact number and nothing else", () => {
    const confirmation = { parts: 1234, typed: true };
    expect(isConfirmedBy(confirmation, " 1234 ")).toBe(true);
    for (const text of ["", "y", "123", "12345", "1,234", "01234", "1234.0"]) {
      expect(isConfirmedBy(confirmation, text)).toBe(false);
    }
  });
});
