import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageOutline, PartOutline } from "../../src/contract/index.ts";
import { EVERYTHING_TECHNICAL, matchingParts, type PartFilter } from "../../src/pruning/index.ts";

const part = (index: number, members: Partial<PartOutline> = {}): PartOutline => ({
  index,
  type: "tool",
  bytes: 100,
  toolID: `call_${index}`,
  toolName: "read",
  status: "completed",
  label: "",
  created: 1_000,
  ...members,
});

const message = (messageID: string, parts: PartOutline[], members: Partial<MessageOutline> = {}) => ({
  messageID,
  created: 1_000,
  completed: 2_000,
  storedBytes: 1_000,
  parts,
  kept: { parts: 0, bytes: 0 },
  ...members,
});

const found = (messages: readonly MessageOutline[], filter: Partial<PartFilter>) =>
  matchingParts(messages, { ...EVERYTHING_TECHNICAL, ...filter }).prunable.flatMap(({ message, parts }) =>
    parts.map(({ index }) => `${message.messageID}/${index}`),
  );

describe("a filter of technical parts", () => {
  const reasoning = part(1, { type: "reasoning", bytes: 7_000 });
  const messages = [
    message("msg_1", [part(0), reasoning, part(2, { toolName: "bash", bytes: 50_000, created: 5_000 })]),
    message("msg_2", [part(0, { bytes: 49_999 })]),
    message("msg_3", [part(0, { created: 9_000 })]),
  ];

  it.each<[string, Partial<PartFilter>, string[]]>([
    ["without anything takes all", {}, ["msg_1/0", "msg_1/1", "msg_1/2", "msg_2/0", "msg_3/0"]],
    ["takes one kind", { types: new Set(["reasoning"]) }, ["msg_1/1"]],
    ["takes tools by their name", { types: new Set(["tool"]), toolNames: new Set(["bash"]) }, ["msg_1/2"]],
    ["takes reasoning beside named tools", { toolNames: new Set(["bash"]) }, ["msg_1/1", "msg_1/2"]],
    ["takes a size and what is larger", { minBytes: 50_000 }, ["msg_1/2"]],
    ["takes what is older, and not what is as old", { before: 5_000 }, ["msg_1/0", "msg_1/1", "msg_2/0"]],
    ["leaves the newest messages alone", { keepLast: 2 }, ["msg_1/0", "msg_1/1", "msg_1/2"]],
    ["leaves everything alone where there are no more", { keepLast: 9 }, []],
    ["takes named messages", { messageIDs: new Set(["msg_2", "msg_none"]) }, ["msg_2/0"]],
    ["takes nothing where no message is named", { messageIDs: new Set() }, []],
    [
      "takes what all of it holds for",
      { minBytes: 7_000, before: 5_000, keepLast: 1 },
      ["msg_1/1", "msg_2/0"],
    ],
  ])("%s", (_, filter, expected) => {
    expect(found(messages, filter)).toEqual(expected);
  });

  it("takes the message's age where the part has none", () => {
    const { created: _, ...undated } = part(0);
    expect(found([message("msg_1", [undated], { created: 400 })], { before: 500 })).toEqual(["msg_1/0"]);
    expect(found([message("msg_1", [undated], { created: 500 })], { before: 500 })).toEqual([]);
  });

  it("counts messages without technical parts among the newest", () => {
    expect(found([message("msg_1", [part(0)]), message("msg_2", [])], { keepLast: 1 })).toEqual(["msg_1/0"]);
  });

  it("tells what matches in messages that cannot be pruned apart, with the reason", () => {
    const running = message("msg_2", [part(0)], { unprunable: "incomplete" });
    const { prunable, unprunable } = matchingParts(
      [message("msg_1", [part(3)]), running],
      EVERYTHING_TECHNICAL,
    );
    expect(prunable.map((one) => one.message.messageID)).toEqual(["msg_1"]);
    expect(unprunable).toEqual([{ message: running, parts: running.parts, reason: "incomplete" }]);
  });
});

describe("any filter on any session", () => {
  const anyPart = fc.record({
    type: fc.constantFrom("tool" as const, "reasoning" as const),
    bytes: fc.nat(200),
    toolName: fc.constantFrom("read", "bash"),
    created: fc.nat(100),
  });
  const anySession = fc
    .array(fc.record({ parts: fc.array(anyPart, { maxLength: 4 }), blocked: fc.boolean() }), { maxLength: 6 })
    .map((drawn) =>
      drawn.map(({ parts, blocked }, position) =>
        message(
          `msg_${position}`,
          parts.map((members, index) => part(index, members)),
          blocked ? { unprunable: "incomplete" } : {},
        ),
      ),
    );
  const anyFilter: fc.Arbitrary<PartFilter> = fc.record(
    {
      types: fc.subarray(["tool", "reasoning"] as const).map((types) => new Set(types)),
      toolNames: fc.subarray(["read", "bash"]).map((names) => new Set(names)),
      minBytes: fc.nat(200),
      before: fc.nat(100),
      keepLast: fc.nat(6),
      messageIDs: fc.subarray(["msg_0", "msg_1", "msg_2"]).map((ids) => new Set(ids)),
    },
    { requiredKeys: ["types"] },
  );

  it("takes a part exactly when every member that is given holds for it", () => {
    fc.assert(
      fc.property(anySession, anyFilter, (session, filter) => {
        const expected = session.flatMap((one, position) =>
          one.parts
            .filter((each) => filter.types.has(each.type))
            .filter(
              (each) => each.type === "reasoning" || filter.toolNames?.has(each.toolName ?? "") !== false,
            )
            .filter((each) => each.bytes >= (filter.minBytes ?? 0))
            .filter((each) => (each.created ?? 0) < (filter.before ?? Number.POSITIVE_INFINITY))
            .filter(() => session.length - position > (filter.keepLast ?? 0))
            .filter(() => filter.messageIDs?.has(one.messageID) !== false)
            .map((each) => `${one.messageID}/${each.index}/${one.unprunable ?? "prunable"}`),
        );
        const { prunable, unprunable } = matchingParts(session, filter);
        const taken = [...prunable, ...unprunable].flatMap(({ message: one, parts }) =>
          parts.map((each) => `${one.messageID}/${each.index}/${one.unprunable ?? "prunable"}`),
        );
        expect(taken.sort()).toEqual(expected.sort());
        expect(prunable.every((one) => one.message.unprunable === undefined)).toBe(true);
      }),
    );
  });
});
