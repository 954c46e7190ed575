import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  isMessageTuple,
  MAX_ID_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_PART_INDEX,
  OutlineOutput,
  UNPRUNABLE,
} from "../../src/contract/index.ts";

/** What a message on the wire is, said a second time, as a schema. */
const count = z.number().int().min(0);
const moment = z.number().nullable();
const name = z.string().max(MAX_ID_LENGTH).nullable();
const part = [count.max(MAX_PART_INDEX), count, moment] as const;
const Message = z.tuple([
  z.string().min(1),
  z.number(),
  moment,
  count,
  z.enum(UNPRUNABLE).nullable(),
  count,
  count,
  z.array(z.union([z.tuple([...part, name, name, name, z.string().max(MAX_LABEL_LENGTH)]), z.tuple(part)])),
]);

const REASONING = [1, 20, 1_700_000_000_000];
const TOOL = [2, 9_000, null, "call_1", "bash", "completed", "ls -la"];
const MESSAGE = ["msg_1", 1_700_000_000_000, null, 10_000, "incomplete", 1, 12, [REASONING, TOOL]];

/** Values that are right in one place or another, and values that are right in none. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 1, -1, 1.5, -0.5, MAX_PART_INDEX, MAX_PART_INDEX + 1, 2 ** 53, 1e300),
  fc.constantFrom<unknown>("", "x", "too_large", "incomplete", "toString", true, undefined, [], {}, [[]]),
  fc.constantFrom("x".repeat(MAX_ID_LENGTH), "x".repeat(MAX_ID_LENGTH + 1)),
  fc.constantFrom("x".repeat(MAX_LABEL_LENGTH), "x".repeat(MAX_LABEL_LENGTH + 1)),
  fc.constantFrom<unknown>(REASONING, TOOL, [REASONING], [TOOL, REASONING, []], MESSAGE),
);

function spoil(value: readonly unknown[], place: number, by: unknown, how: "put" | "insert" | "remove") {
  const spoilt = [...value];
  spoilt.splice(place % (value.length + 1), how === "insert" ? 0 : 1, ...(how === "remove" ? [] : [by]));
  return spoilt;
}
const spoiling = fc.tuple(fc.nat(8), anything, fc.constantFrom("put", "insert", "remove"));

describe("a message of an outline on the wire", () => {
  it("is what the schema says, whatever is put into its places", () => {
    let right = 0;
    fc.assert(
      fc.property(spoiling, spoiling, fc.constantFrom(REASONING, TOOL), (whole, inner, one) => {
        const spoilt = [
          spoil(MESSAGE, ...whole),
          [...MESSAGE.slice(0, 7), [REASONING, spoil(one, ...inner)]],
        ];
        for (const value of spoilt) {
          const expected = Message.safeParse(value).success;
          if (expected) right += 1;
          expect(isMessageTuple(value)).toBe(expected);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(right).toBeGreaterThan(100);
  });

  it("makes the page as a whole none of the contract when one is wrong", () => {
    const page = (messages: unknown) =>
      OutlineOutput.safeParse({ status: "page", blocked: null, messages, cursor: null }).success;
    expect(page([MESSAGE, MESSAGE])).toBe(true);
    expect(page([MESSAGE, MESSAGE.slice(1)])).toBe(false);
    expect(page({ 0: MESSAGE })).toBe(false);
  });
});
