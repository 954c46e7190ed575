import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTechnicalType, partBytes } from "../../src/contract/index.ts";
import { resolveParts } from "../../src/pruning/index.ts";
import type { PartReference } from "../../src/state/ports.ts";

type Part = Readonly<Record<string, unknown>>;

const text = { type: "text", text: "kept" };
const tool = (id: string, output = "x") => ({
  type: "tool",
  id,
  name: "read",
  state: { output },
  time: { created: 1 },
});
const thought = (words: string, created?: number) => ({
  type: "reasoning",
  text: words,
  ...(created === undefined ? {} : { time: { created } }),
});

function referenceTo(content: readonly Part[], index: number): PartReference {
  const part = content[index] as Part & { time?: { created?: number } };
  return {
    sessionID: "ses_1",
    messageID: "msg_1",
    index,
    type: part.type as PartReference["type"],
    bytes: partBytes(part),
    ...(part.type === "tool" ? { toolID: part.id as string } : {}),
    ...(part.time?.created === undefined ? {} : { created: part.time.created }),
  };
}

const nothing = { indexes: [], ambiguous: 0, vanished: 0 };

describe("finding selected parts again", () => {
  it("finds a tool by its id, wherever it went and whatever became of it", () => {
    const before = [text, tool("a"), tool("b")];
    const after = [tool("b", "longer than before"), text];
    expect(resolveParts(after, [referenceTo(before, 2)])).toEqual({ ...nothing, indexes: [0] });
  });

  it("finds a reasoning part by its size and time", () => {
    const before = [thought("one", 1), thought("two", 2)];
    expect(resolveParts([before[1] ?? text], [referenceTo(before, 1)])).toEqual({ ...nothing, indexes: [0] });
  });

  it("takes none of two that match", () => {
    const twins = [thought("same", 1), thought("same", 1), tool("a"), tool("a")];
    expect(resolveParts(twins, [referenceTo(twins, 0)])).toEqual({ ...nothing, ambiguous: 1 });
    expect(resolveParts(twins, [referenceTo(twins, 0), referenceTo(twins, 1)])).toEqual({
      ...nothing,
      ambiguous: 2,
    });
    expect(resolveParts(twins, [referenceTo(twins, 2)])).toEqual({ ...nothing, ambiguous: 1 });
  });

  it("takes none when none matches", () => {
    const before = [thought("old", 1), tool("a"), thought("timeless")];
    const after = [thought("older", 1), thought("old", 2), tool("b"), thought("timeless", 3), text];
    const selection = before.map((_, index) => referenceTo(before, index));
    expect(resolveParts(after, selection)).toEqual({ ...nothing, vanished: 3 });
  });

  it("does not take a tool for a reference that names none", () => {
    const { toolID, ...nameless } = referenceTo([tool("a")], 0);
    expect(toolID).toBe("a");
    expect(resolveParts([{ type: "tool" }], [nameless])).toEqual({ ...nothing, vanished: 1 });
  });

  it("counts a part once that was named twice", () => {
    const content = [thought("one", 1), tool("a")];
    const selection = [0, 1, 1, 0].map((index) => referenceTo(content, index));
    expect(resolveParts(content, selection)).toEqual({ ...nothing, indexes: [0, 1] });
  });

  it("never names a part that was not selected, whatever was pruned, added or moved meanwhile", () => {
    const part = fc.oneof(
      fc.constantFrom("a", "b", "c", "d", "e").map((id) => tool(id)),
      fc
        .tuple(fc.constantFrom("x", "y", "zz"), fc.constantFrom(1, 2, undefined))
        .map(([words, at]) => thought(words, at)),
      fc.constant(text),
    );
    fc.assert(
      fc.property(
        fc.array(part),
        fc.array(part),
        fc.infiniteStream(fc.boolean()),
        (before, after, choice) => {
          const chosen = before.filter(({ type }) => isTechnicalType(type) && choice.next().value);
          const selection = chosen.map((one) => referenceTo(before, before.indexOf(one)));
          const { indexes } = resolveParts(after, selection);
          expect([...new Set(indexes)].sort((a, b) => a - b)).toEqual(indexes);
          for (const index of indexes) {
            const found = after[index] as Part;
            const same = (one: Part) =>
              one.type === found.type &&
              (one.type === "tool" ? one.id === found.id : partBytes(one) === partBytes(found));
            expect(chosen.some(same)).toBe(true);
            expect(
              after.filter(
                (other) =>
                  same(other) &&
                  (other.type === "tool" ||
                    JSON.stringify((other as Part).time) === JSON.stringify(found.time)),
              ),
            ).toHaveLength(1);
          }
        },
      ),
    );
  });
});
