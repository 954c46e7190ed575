import { describe, expect, it } from "vitest";
import { PRUNED_EVENT } from "../../src/contract/index.ts";
import { effectOf, isWanted } from "../../src/sync/event-effect.ts";

const revision = "a".repeat(64);

describe("which events are parsed", () => {
  it.each([
    "session.text.delta",
    "session.reasoning.delta",
    "session.tool.input.delta",
    "session.compaction.delta",
    "project.updated",
    "model.updated",
    "rpc.somebody.else.pruned",
  ])("%s is not", (type) => {
    expect(isWanted(type)).toBe(false);
  });

  it.each([PRUNED_EVENT, "server.connected", "session.step.ended", "session.deleted", "session.some.future"])(
    "%s is",
    (type) => {
      expect(isWanted(type)).toBe(true);
    },
  );
});

describe("what an event says", () => {
  it("a prune concerns its message", () => {
    const data = { sessionID: "ses_a", messageID: "msg_1", revision };
    expect(effectOf({ type: PRUNED_EVENT, data })).toEqual({ kind: "pruned", ...data });
  });

  it("a step, a tool and a text concern the assistant message that they name", () => {
    for (const type of ["session.step.ended", "session.tool.success", "session.text.ended"]) {
      const data = { sessionID: "ses_a", assistantMessageID: "msg_1", text: "…" };
      expect(effectOf({ type, data })).toEqual({
        kind: "changed",
        sessionID: "ses_a",
        messageID: "msg_1",
        outline: false,
      });
    }
  });

  it.each([
    ["session.renamed", false],
    ["session.execution.started", false],
    ["session.deleted", false],
    ["session.created", true],
    ["session.execution.succeeded", true],
    ["session.compaction.ended", true],
    ["session.revert.committed", true],
    ["session.moved", true],
    ["session.some.future", true],
  ])("%s may change other messages: %s", (type, outline) => {
    expect(effectOf({ type, data: { sessionID: "ses_a" } })).toEqual({
      kind: "changed",
      sessionID: "ses_a",
      outline,
    });
  });

  it("the session is the aggregate where the data does not name it", () => {
    const durable = { aggregateID: "ses_a", seq: 4 };
    expect(effectOf({ type: "session.renamed", data: {}, durable })).toMatchObject({ sessionID: "ses_a" });
  });

  it.each([
    ["a prune without a message", { type: PRUNED_EVENT, data: { sessionID: "ses_a" } }],
    ["a session event without a session", { type: "session.renamed", data: null }],
    ["another kind of event", { type: "project.updated", data: { sessionID: "ses_a" } }],
  ])("%s says nothing", (_what, event) => {
    expect(effectOf(event)).toBeUndefined();
  });
});
