import { describe, expect, it } from "vitest";
import { OpenCode } from "#opencode/client";
import { createPruning } from "../../src/pruning/index.ts";
import { startFakeServer } from "../opencode/support/fake-server.ts";
import {
  type Answer,
  bulk,
  bulkAll,
  counts,
  idsOf,
  named,
  never,
  output,
  planned,
  prune,
  pruned,
  refusalOf,
  refused,
} from "./support/prune-server.ts";

describe("pruning a plan", () => {
  it("asks for many messages in one call, each by its revision and indexes, at the session's location", async () => {
    const { report, reread, calls } = await prune(["msg_1", "msg_2"], [bulk({ msg_1: "ok", msg_2: "ok" })]);
    expect(report).toEqual({
      prunedParts: 4,
      prunedMessages: 2,
      prunedBytes: 30,
      skippedMessages: 0,
      refused: [],
      stopped: false,
    });
    expect(reread).toEqual(["msg_1", "msg_2"]);
    const asked = { revision: "a".repeat(64), indexes: [1, 3] };
    expect(calls).toEqual([
      {
        method: "pruneBulk",
        directory: "/project",
        input: {
          sessionID: "ses_1",
          requests: [
            { messageID: "msg_1", ...asked },
            { messageID: "msg_2", ...asked },
          ],
        },
      },
    ]);
  });

  it("begins with a small call, and tells after each how far it is", async () => {
    const { report, calls, seen } = await prune(named(250), bulkAll);
    const sizes = calls.map((call) => idsOf(call).length);
    expect(sizes).toEqual([8, 16, 32, 64, 64, 64, 2]);
    expect(calls.flatMap(idsOf)).toEqual(named(250));
    expect(seen.map(({ messagesDone }) => messagesDone)).toEqual([0, 8, 24, 56, 120, 184, 248, 250]);
    expect(seen.at(-1)).toMatchObject({ messagesTotal: 250, partsPruned: 500, bytesPruned: 3_750 });
    expect(report).toMatchObject({ prunedMessages: 250, stopped: false });
  });

  it("carries no more than 16 MiB of parts in one call", async () => {
    const goes = [{ index: 0, type: "tool", bytes: 6 * 1024 * 1024, label: "" }] as const;
    const large = named(5).map((messageID) => planned(messageID, { goes }));
    const { calls } = await prune(large, (response, call) => {
      const ids = idsOf(call);
      const results = ids.map((messageID) => ({ messageID, result: pruned(messageID, 1) }));
      output({ results, left: 0 })(response, call);
    });
    expect(calls.map((call) => idsOf(call).length)).toEqual([2, 2, 1]);
  });

  it("goes from session to session, in the order of the plan", async () => {
    const other = { sessionID: "ses_2", directory: "/elsewhere" };
    const plan = [planned("msg_1"), planned("msg_2", other), planned("msg_3", other), planned("msg_4")];
    const { calls, report } = await prune(plan, bulkAll);
    expect(calls.map((call) => [call.input.sessionID, call.directory, idsOf(call)])).toEqual([
      ["ses_1", "/project", ["msg_1"]],
      ["ses_2", "/elsewhere", ["msg_2", "msg_3"]],
      ["ses_1", "/project", ["msg_4"]],
    ]);
    expect(report.prunedMessages).toBe(4);
  });

  it("counts a refusal with its reason and goes on", async () => {
    const answer = bulk({ msg_1: "ok", msg_2: "conflict", msg_3: "ok" });
    const { report, reread } = await prune(["msg_1", "msg_2", "msg_3"], [answer]);
    expect(report).toMatchObject({ prunedMessages: 2, refused: [refusalOf("msg_2", "conflict")] });
    expect(reread).toEqual(["msg_1", "msg_3"]);
  });

  it.each([
    ["rpc.unavailable", "unavailable"],
    ["rpc.method_not_found", "unavailable"],
    ["rpc.invalid_input", "not_deletable"],
  ])("understands %s as %s", async (type, reason) => {
    const { report } = await prune(["msg_1"], [refused(400, { _tag: "RpcError", type, message: "" })]);
    expect(report.refused).toEqual([refusalOf("msg_1", reason)]);
  });

  it("asks again for what one call did not reach", async () => {
    const { report, calls } = await prune(
      ["msg_1", "msg_2", "msg_3"],
      [bulk({ msg_1: "ok" }, 2), bulk({ msg_2: "ok", msg_3: "ok" })],
    );
    expect(calls.map(idsOf)).toEqual([
      ["msg_1", "msg_2", "msg_3"],
      ["msg_2", "msg_3"],
    ]);
    expect(report).toMatchObject({ prunedMessages: 3, refused: [] });
  });

  it("asks again, after a pause, for what found the session busy for a moment", async () => {
    const { report, calls } = await prune(
      ["msg_1", "msg_2"],
      [bulk({ msg_1: "maintenance_required", msg_2: "ok" }), bulk({ msg_1: "ok" })],
    );
    expect(calls.map(idsOf)).toEqual([["msg_1", "msg_2"], ["msg_1"]]);
    expect(report).toMatchObject({ prunedMessages: 2, refused: [] });
  });

  it("spares asking for the rest of a session that stays busy, and goes on with the next", async () => {
    const plan = [...named(20).map((id) => planned(id)), planned("msg_other", { sessionID: "ses_2" })];
    const busy: Answer = (response, call) => {
      const answer = call.input.sessionID === "ses_2" ? "ok" : "maintenance_required";
      bulk(Object.fromEntries(idsOf(call).map((id) => [id, answer])))(response, call);
    };
    const { report, calls } = await prune(plan, busy);
    expect(counts(report)).toEqual([1, 20, 0]);
    expect(report.refused.map(({ messageID }) => messageID)).toEqual(named(20));
    expect(new Set(report.refused.map(({ reason }) => reason))).toEqual(new Set(["maintenance_required"]));
    expect(calls.map((call) => idsOf(call).length)).toEqual([8, 8, 8, 1]);
  });

  it("stops between calls, after the one under way", async () => {
    const stop = new AbortController();
    const { report, calls, reread } = await prune(
      named(30),
      [
        (response, call) => {
          stop.abort();
          setTimeout(() => bulkAll(response, call), 20);
        },
      ],
      { signal: stop.signal },
    );
    expect(calls).toHaveLength(1);
    expect(report).toMatchObject({ prunedMessages: 8, skippedMessages: 22, refused: [], stopped: true });
    expect(reread).toEqual(named(8));
  });

  it("asks for nothing when it is stopped before it knows the plugin's methods", async () => {
    const stop = new AbortController();
    const { report, calls } = await prune(["msg_1"], bulkAll, {
      signal: stop.signal,
      probed: () => stop.abort(),
    });
    expect(calls).toEqual([]);
    expect(report).toMatchObject({ skippedMessages: 1, refused: [], stopped: true });
  });
});

describe("a plugin without pruneBulk", () => {
  const methods = ["prune", "pruneBatch"];
  const batchAll: Answer = (response, call) => {
    if (call.method === "prune") return output(pruned(call.input.messageID))(response, call);
    const results = idsOf(call).map((messageID) => ({ messageID, result: pruned(messageID) }));
    return output({ results })(response, call);
  };

  it("takes whole messages sixteen a call, and others one by one, in the order of the plan", async () => {
    const plan = named(40).map((id, at) => planned(id, { takesAll: at !== 1 }));
    const { report, calls } = await prune(plan, batchAll, { methods });
    expect(calls.map((call) => [call.method, idsOf(call).length])).toEqual([
      ["pruneBatch", 1],
      ["prune", 1],
      ["pruneBatch", 16],
      ["pruneBatch", 16],
      ["pruneBatch", 6],
    ]);
    expect(calls.flatMap(idsOf)).toEqual(named(40));
    const revision = "a".repeat(64);
    expect(calls[0]?.input).toEqual({
      sessionID: "ses_1",
      candidates: [{ messageID: "msg_0", revision, toolCount: 1, reasoningCount: 1 }],
    });
    expect(calls[1]?.input).toEqual({ sessionID: "ses_1", messageID: "msg_1", revision, indexes: [1, 3] });
    expect(counts(report)).toEqual([40, 0, 0]);
  });

  it("takes every message one by one where it has prune alone", async () => {
    const plan = named(3).map((id) => planned(id, { takesAll: true }));
    const { report, calls, seen } = await prune(plan, batchAll, { methods: ["prune"] });
    expect(calls.map(({ method, input }) => [method, input.indexes])).toEqual(
      named(3).map(() => ["prune", [1, 3]]),
    );
    expect(seen.map(({ messagesDone }) => messagesDone)).toEqual([0, 1, 2, 3]);
    expect(counts(report)).toEqual([3, 0, 0]);
  });
});

describe("a location at which nothing can be asked for", () => {
  const here = planned("msg_1");
  const there = planned("msg_2", { sessionID: "ses_2", directory: "/elsewhere" });

  it.each([
    ["has no plugin", refused(400, { _tag: "RpcError", type: "rpc.unavailable" }), "unavailable"],
    ["cannot work there", refused(500, {}), "folder_unusable"],
    ["is no OpenCode", ((response) => response.end("<html>")) as Answer, "unavailable"],
  ])("is refused as a whole when the daemon %s, and the others are not", async (_, says, reason) => {
    const probed: Answer = (response, call) => {
      if (call.directory === "/project") says(response, call);
      else refused(400, { _tag: "RpcError", type: "rpc.invalid_input" })(response, call);
    };
    const { report, reread } = await prune([here, planned("msg_x"), there], bulkAll, { probed });
    expect(report).toMatchObject({ prunedMessages: 1, skippedMessages: 0, stopped: false });
    expect(report.refused).toEqual([refusalOf("msg_1", reason), refusalOf("msg_x", reason)]);
    expect(reread).toEqual(["msg_2"]);
  });

  it("ends everything when nobody listens, and nothing can have happened", async () => {
    const server = await startFakeServer(() => {});
    await server.close();
    const pruning = createPruning({ client: OpenCode.make({ baseUrl: server.url }), retries: [1] });
    const plan = { messages: [here, there], refused: [], parts: 4, bytes: 30 };
    expect(await pruning.prune(plan, {})).toMatchObject({
      refused: [refusalOf("msg_1", "unavailable")],
      skippedMessages: 1,
      stopped: true,
    });
  });

  it("ends everything when the question for its methods is never answered, and nothing can have happened", async () => {
    const { report, reread } = await prune([here, there], [], { probed: never });
    expect(report).toMatchObject({ refused: [refusalOf("msg_1", "unavailable")], skippedMessages: 1 });
    expect(reread).toEqual([]);
  });
});
