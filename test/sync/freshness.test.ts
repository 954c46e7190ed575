import { describe, expect, it } from "vitest";
import { abandoned, begun, invalidated, landed, needsNothing, UNREAD } from "../../src/sync/freshness.ts";

const all = { summary: true, outline: true };

describe("the freshness of a session", () => {
  it("takes over a reading that nothing overtook", () => {
    const reading = begun(invalidated(UNREAD, { ...all, messageID: "msg_1" }));
    const [after, verdict] = landed(reading, reading.reading);
    expect(verdict).toEqual({
      summary: true,
      outline: true,
      withheld: new Set(),
      messages: new Set(["msg_1"]),
    });
    expect(needsNothing(after.need)).toBe(true);
    expect(after.reading).toBeUndefined();
  });

  it("drops what was invalidated while it was read, and still needs it", () => {
    const started = begun(invalidated(UNREAD, all));
    const overtaken = invalidated(started, all);
    const [after, verdict] = landed(overtaken, started.reading);
    expect(verdict).toMatchObject({ summary: false, outline: false });
    expect(after.need).toMatchObject({ summary: 2, outline: 2 });
  });

  it("keeps the rest of an outline when one message was invalidated while it was read", () => {
    const started = begun(invalidated(UNREAD, { outline: true }));
    const [after, verdict] = landed(invalidated(started, { messageID: "msg_1" }), started.reading);
    expect(verdict).toMatchObject({ outline: true, withheld: new Set(["msg_1"]) });
    expect([...after.need.messages.keys()]).toEqual(["msg_1"]);
  });

  it("drops single messages when everything was invalidated while they were read", () => {
    const started = begun(invalidated(UNREAD, { messageID: "msg_1" }));
    const [, verdict] = landed(invalidated(started, { outline: true }), started.reading);
    expect(verdict.messages.size).toBe(0);
  });

  it("makes one follow-up of however many invalidations", () => {
    const started = begun(invalidated(UNREAD, all));
    let state = invalidated(started, all);
    for (let event = 0; event < 1_000; event += 1)
      state = invalidated(state, { messageID: `msg_${event % 3}` });
    const [after] = landed(state, started.reading);
    const followUp = begun(after);
    expect(followUp.reading.need.messages.size).toBe(3);
    expect(needsNothing(landed(followUp, followUp.reading)[0].need)).toBe(true);
  });

  it("reads one at a time", () => {
    expect(() => begun(begun(invalidated(UNREAD, all)))).toThrow(/once at a time/);
  });

  it("needs again what an abandoned reading was to read, and ignores its answers", () => {
    const started = begun(invalidated(UNREAD, { outline: true, messageID: "msg_1" }));
    const meanwhile = invalidated(started, { messageID: "msg_2" });
    const after = abandoned(meanwhile, started.reading);
    expect(after.need.outline).toBe(1);
    expect([...after.need.messages.keys()]).toEqual(["msg_1", "msg_2"]);
    const [unchanged, verdict] = landed(after, started.reading);
    expect(unchanged).toBe(after);
    expect(verdict).toMatchObject({ summary: false, outline: false });
  });
});
