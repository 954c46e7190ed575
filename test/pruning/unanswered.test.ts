import { describe, expect, it } from "vitest";
import {
  type Answer,
  bulk,
  counts,
  cut,
  idsOf,
  named,
  never,
  output,
  prune,
  pruned,
  refusalOf,
  refused,
} from "./support/prune-server.ts";

describe("a call without an answer", () => {
  const both = bulk({ msg_1: "ok", msg_2: "ok" });

  it.each([
    ["late", never],
    ["cut", cut],
    ["an internal error", refused(500, { _tag: "RpcInternalError", message: "" })],
  ])("is sent again, the very same, when it was %s", async (_, failing) => {
    const { report, calls } = await prune(["msg_1", "msg_2"], [failing, failing, both]);
    expect(report).toMatchObject({ prunedMessages: 2, prunedParts: 4, refused: [] });
    expect(calls).toHaveLength(3);
    expect(calls[1]).toEqual(calls[0]);
    expect(calls[2]).toEqual(calls[0]);
  });

  it("leaves its messages unknown, has them read again, and ends the rest, when none ever comes", async () => {
    const { report, reread, calls } = await prune(named(10), []);
    expect(calls).toHaveLength(3);
    expect(counts(report)).toEqual([0, 8, 2]);
    expect(report.refused).toEqual(named(8).map((id) => refusalOf(id, "unknown_outcome")));
    expect(report.stopped).toBe(true);
    expect(reread).toEqual(named(8));
  });

  it("is told as lost also when nothing is left behind it", async () => {
    const { report } = await prune(["msg_1"], []);
    expect(report).toMatchObject({ skippedMessages: 0, stopped: true });
  });

  it("is known not to have happened when only a conflict comes after it", async () => {
    const { report } = await prune(["msg_1", "msg_2"], [cut, bulk({ msg_1: "ok", msg_2: "conflict" })]);
    expect(report.refused).toEqual([refusalOf("msg_2", "conflict")]);
  });

  it("stays unknown when another refusal comes after it", async () => {
    const after = bulk({ msg_1: "maintenance_required", msg_2: "ok" });
    const { report, reread, calls } = await prune(["msg_1", "msg_2"], [cut, after]);
    expect(calls).toHaveLength(2);
    expect(report.refused).toEqual([refusalOf("msg_1", "unknown_outcome")]);
    expect(reread).toEqual(["msg_1", "msg_2"]);
  });

  it("leaves what it may have reached unknown, whatever is said of that in the next call", async () => {
    const { report, reread, calls } = await prune(
      ["msg_1", "msg_2", "msg_3"],
      [cut, bulk({ msg_1: "ok" }, 2), bulk({ msg_2: "not_deletable", msg_3: "ok" })],
    );
    expect(calls.map((call) => idsOf(call).length)).toEqual([3, 3, 2]);
    expect(report.prunedMessages).toBe(2);
    expect(report.refused).toEqual([refusalOf("msg_2", "unknown_outcome")]);
    expect(new Set(reread)).toEqual(new Set(["msg_1", "msg_2", "msg_3"]));
  });

  it("leaves what it may have reached unknown, and not skipped, when the caller stops then", async () => {
    const stop = new AbortController();
    const { report, reread } = await prune(
      named(10),
      [
        cut,
        (response, call) => {
          stop.abort();
          bulk({ msg_0: "ok" }, 7)(response, call);
        },
      ],
      { signal: stop.signal },
    );
    expect(report.prunedMessages).toBe(1);
    expect(report.refused).toEqual(
      named(8)
        .slice(1)
        .map((id) => refusalOf(id, "unknown_outcome")),
    );
    expect(report.skippedMessages).toBe(2);
    expect(reread).toEqual(named(8));
  });

  it("ends its waiting when the caller stops", async () => {
    const stop = new AbortController();
    const { report, calls } = await prune(
      ["msg_1"],
      [
        (response) => {
          stop.abort();
          response.destroy();
        },
      ],
      { signal: stop.signal },
    );
    expect(calls).toHaveLength(1);
    expect(report.refused).toEqual([refusalOf("msg_1", "unknown_outcome")]);
  });
});

describe("an answer that is not the contract's", () => {
  const only = (result: object, messageID = "msg_1", left = 0) =>
    output({ results: [{ messageID, result }], left });

  it.each([
    ["another shape", output({ status: "pruned" })],
    ["a result of another shape", only({ status: "pruned" })],
    ["another message", only(pruned("msg_2"), "msg_2")],
    ["another message inside", only(pruned("msg_2"))],
    ["another count", only(pruned("msg_1", 1))],
    ["a message too few", output({ results: [], left: 1 })],
    ["a message too many", only(pruned("msg_1"), "msg_1", 1)],
    ["no JSON", ((response) => response.end("<html>")) as Answer],
  ])("with %s means that the outcome is unknown", async (_, answer) => {
    const { report, reread } = await prune(["msg_1"], [answer]);
    expect(report).toMatchObject({ prunedParts: 0, refused: [refusalOf("msg_1", "unknown_outcome")] });
    expect(reread).toEqual(["msg_1"]);
  });
});
