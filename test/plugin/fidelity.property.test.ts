import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentSpans, cutElements } from "../../src/plugin/content-spans.ts";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { messageSurroundings, partText, valueText } from "./support/json-text.ts";
import { revisionOfStored } from "./support/stored.ts";

describe("what stays", () => {
  let daemon: FakeDaemon;
  beforeAll(async () => {
    daemon = new FakeDaemon();
    daemon.database.pragma("synchronous = OFF");
    daemon.insertSession();
    await daemon.load();
  });
  afterAll(() => daemon.remove());

  it("keeps every byte when many parts go at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(partText, { minLength: 20, maxLength: 48 }),
        messageSurroundings,
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        async (parts, [before, after], coins) => {
          const write = (kept: readonly string[]) =>
            `{${[...before, `"content":[${kept.join(",")}]`, '"time":{"completed":2.0}', ...after].join(",")}}`;
          const gone = parts.flatMap((part, index) =>
            isTechnical(part) && coins.next().value !== 0 ? [index] : [],
          );
          if (gone.length === 0) return;
          daemon.database.exec("DELETE FROM session_message");
          daemon.insertMessage(write(parts));
          const answer = await daemon.call("prune", {
            sessionID: SESSION,
            messageID: MESSAGE,
            revision: revisionOfStored(write(parts)),
            indexes: gone,
          });
          const kept = write(parts.filter((_, index) => !gone.includes(index)));
          expect(daemon.data()).toBe(kept);
          expect(answer).toEqual({
            status: "pruned",
            messageID: MESSAGE,
            revision: revisionOfStored(kept),
            removedCount: gone.length,
          });
        },
      ),
      { numRuns: 1000 },
    );
  }, 120_000);

  it("is found in any JSON text, with white space between the tokens too", () => {
    const space = fc.constantFrom("", " ", "\n", "\t\r\n ");
    fc.assert(
      fc.property(
        fc.array(valueText, { maxLength: 6 }),
        space,
        valueText,
        fc.nat(5),
        (items, gap, other, cut) => {
          const array = `[${gap}${items.map((item) => item + gap).join(`,${gap}`)}]`;
          const text = `${gap}{${gap}"x"${gap}:${gap}${other}${gap},${gap}"content"${gap}:${gap}${array}${gap}}${gap}`;
          const spans = contentSpans(text);
          expect(spans?.map(({ start, end }) => text.slice(start, end))).toEqual(items);
          const left = cutElements(text, spans ?? [], [cut]);
          const expected = items.filter((_, index) => index !== cut).map((item) => JSON.parse(item));
          expect(JSON.parse(left).content).toEqual(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function isTechnical(part: string): boolean {
  return ["tool", "reasoning"].includes((JSON.parse(part) as { type: string }).type);
}
