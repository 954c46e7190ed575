import { describe, expect, it } from "vitest";
import { PRUNED_EVENT } from "../../../src/contract/index.ts";
import { meaningOf } from "../../../src/plugin/tui/event-meaning.ts";

const revision = "0".repeat(64);

describe("what an event means to the companion", () => {
  it("is a prune, by the contract's name for it", () => {
    const data = { sessionID: "ses_1", messageID: "msg_1", revision };
    expect(meaningOf({ type: PRUNED_EVENT, data })).toEqual({
      kind: "pruned",
      sessionID: "ses_1",
      messageID: "msg_1",
    });
  });

  it("is a connection that begins", () => {
    expect(meaningOf({ type: "server.connected", data: {} })).toEqual({ kind: "connected" });
  });

  it.each([
    ["another plugin's event", "rpc.somebody.else.pruned", { sessionID: "ses_1" }],
    ["a native event", "session.renamed", { sessionID: "ses_1" }],
    ["a prune without data", PRUNED_EVENT, undefined],
    ["a prune with null for data", PRUNED_EVENT, null],
    ["a prune without a session", PRUNED_EVENT, { messageID: "msg_1", revision }],
    ["a prune without a message", PRUNED_EVENT, { sessionID: "ses_1", revision }],
    ["a prune with an empty session", PRUNED_EVENT, { sessionID: "", messageID: "msg_1" }],
    ["a prune whose session is no id", PRUNED_EVENT, { sessionID: { id: "ses_1" }, messageID: "msg_1" }],
  ])("is nothing for %s", (_, type, data) => {
    expect(meaningOf({ type, data })).toBeUndefined();
  });
});
