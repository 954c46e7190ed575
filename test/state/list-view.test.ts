import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ListShape,
  type ListView,
  moveBy,
  moveTo,
  settle,
  UNTOUCHED,
} from "../../src/state/list-view.ts";

function shapeOf(keys: readonly string[], height = 5): ListShape {
  return { length: keys.length, height, keyAt: (index) => keys[index] };
}

const TEN = [..."abcdefghij"];

describe("a list's cursor", () => {
  it("moves within the rows and takes the view along", () => {
    const down = moveBy(UNTOUCHED, 6, shapeOf(TEN));
    expect(down).toEqual({ cursor: 6, top: 2, key: "g" });
    expect(moveBy(down, 100, shapeOf(TEN))).toEqual({ cursor: 9, top: 5, key: "j" });
    expect(moveBy(down, -100, shapeOf(TEN))).toEqual({ cursor: 0, top: 0, key: "a" });
  });

  it("scrolls no further than it must", () => {
    const view: ListView = { cursor: 6, top: 2, key: "g" };
    expect(moveBy(view, -1, shapeOf(TEN)).top).toBe(2);
    expect(moveBy(view, -5, shapeOf(TEN)).top).toBe(1);
  });

  it("stays at the top of an empty list", () => {
    expect(moveTo(UNTOUCHED, 3, shapeOf([]))).toEqual({ cursor: 0, top: 0 });
  });

  it("keeps to the top until it is moved, whatever comes above", () => {
    expect(settle(UNTOUCHED, shapeOf(["z", ...TEN]))).toEqual(UNTOUCHED);
  });

  it("stays on its row, and its row stays where it is on the screen, when rows come above", () => {
    const view: ListView = { cursor: 6, top: 2, key: "g" };
    expect(settle(view, shapeOf(["x", "y", "z", ...TEN]))).toEqual({ cursor: 9, top: 5, key: "g" });
  });

  it("takes what followed when its row is gone", () => {
    const view: ListView = { cursor: 6, top: 2, key: "g" };
    expect(settle(view, shapeOf(TEN.filter((key) => key !== "g")))).toEqual({ cursor: 6, top: 2, key: "h" });
    expect(settle(view, shapeOf(["a"]))).toEqual({ cursor: 0, top: 0, key: "a" });
  });

  it("is always on a row and on the screen, whatever happens", () => {
    const change = fc.oneof(
      fc.record({ move: fc.integer({ min: -20, max: 20 }) }),
      fc.record({ keys: fc.uniqueArray(fc.constantFrom(...TEN)), height: fc.integer({ min: 1, max: 8 }) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        let shape = shapeOf(TEN);
        let view = UNTOUCHED;
        for (const one of changes) {
          if ("move" in one) view = moveBy(view, one.move, shape);
          else {
            const before = view.key;
            shape = shapeOf(one.keys, one.height);
            view = settle(view, shape);
            if (before !== undefined && one.keys.includes(before)) expect(view.key).toBe(before);
          }
          const last = Math.max(0, shape.length - 1);
          expect(view.cursor).toBeGreaterThanOrEqual(0);
          expect(view.cursor).toBeLessThanOrEqual(last);
          expect(view.top).toBeLessThanOrEqual(view.cursor);
          expect(view.cursor - view.top).toBeLessThan(shape.height);
          expect(view.top).toBeLessThanOrEqual(Math.max(0, shape.length - shape.height));
        }
      }),
    );
  });
});
