import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { keyNames } from "../../components/key-names.ts";

function key(more: Partial<Key> = {}): Key {
  const none = { upArrow: false, downArrow: false, leftArrow: false, rightArrow: false, pageDown: false };
  return { ...none, ctrl: false, meta: false, ...more } as Key;
}

describe("the keys in what a terminal sends", () => {
  it("come one by one when several are typed at once", () => {
    expect(keyNames("jj k\r", key())).toEqual(["j", "j", "space", "k", "enter"]);
    expect(keyNames("漢🚀", key())).toEqual(["漢", "🚀"]);
  });

  it("have names where they are no characters", () => {
    expect(keyNames("", key({ upArrow: true }))).toEqual(["up"]);
    expect(keyNames("u", key({ ctrl: true }))).toEqual(["ctrl-u"]);
    expect(keyNames("\x7f\b\t\x1b\x1a", key())).toEqual([
      "backspace",
      "backspace",
      "tab",
      "escape",
      "ctrl-z",
    ]);
  });

  it.each(["[?62;22c", "[24;80R", "[I", "[<0;12;7M", "[<0;12;7y", "OP", "[27;5;121~"])(
    "are not the letters of a report: %s",
    (report) => {
      expect(keyNames(report, key())).toEqual([]);
    },
  );

  it("are none where Alt is held, or where a key has no meaning here", () => {
    expect(keyNames("y", key({ meta: true }))).toEqual([]);
    expect(keyNames("", key({ leftArrow: true }))).toEqual([]);
  });

  it("are themselves where a bracket is typed", () => {
    expect(keyNames("[", key())).toEqual(["["]);
  });
});
