import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { OpenCode } from "#opencode/client";
import { createPruning } from "../../src/pruning/index.ts";
import type { MessageReference, PlannedMessage, PruneProgress } from "../../src/state/ports.ts";
import {
  type FakeServer,
  type Received,
  sendJson,
  startFakeServer,
} from "../opencode/support/fake-server.ts";

type Answer = (response: ServerResponse, request: Received) => void;

let server: FakeServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const never: Answer = () => {};
const cut: Answer = (response) => response.destroy();
const output =
  (value: unknown): Answer =>
  (response) =>
    sendJson(response, { output: value });
const blocked = (reason: string) => output({ status: "blocked", reason });
const pruned = (messageID: string, removedCount = 2) =>
  output({ status: "pruned", messageID, revision: "b".repeat(64), removedCount });
const refused =
  (status: number, body: object): Answer =>
  (response) =>
    sendJson(response, body, status);

const planned = (messageID: string): PlannedMessage => ({
  sessionID: "ses_1",
  messageID,
  directory: "/project",
  revision: "a".repeat(64),
  goes: [
    { index: 1, type: "tool", bytes: 10, label: "" },
    { index: 3, type: "reasoning", bytes: 5, label: "" },
  ],
  takesAll: false,
  stays: { parts: 1, bytes: 1 },
});

/** Prunes the given messages; the server gives the answers in order, one a request. */
async function prune(
  messageIDs: readonly string[],
  answers: readonly Answer[],
  signal?: AbortSignal,
  onProgress?: (progress: PruneProgress) => void,
) {
  const script = [...answers];
  // Long enough for a busy machine, unless the point is that nothing comes.
  const timeout = answers.length === 0 || answers.includes(never) ? 100 : 10_000;
  server = await startFakeServer((request, response) => (script.shift() ?? never)(response, request));
  const reread: string[] = [];
  const pruning = createPruning({
    client: OpenCode.make({ baseUrl: server.url }),
    onPruned: (message: MessageReference) => reread.push(message.messageID),
    retries: [1, 1],
    timeout,
  });
  const messages = messageIDs.map(planned);
  const report = await pruning.prune(
    { messages, refused: [], parts: 2 * messages.length, bytes: 15 * messages.length },
    { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) },
  );
  return { report, reread, requests: server.received };
}

const refusalOf = (messageID: string, reason: string) => ({
  sessionID: "ses_1",
  messageID,
  parts: 2,
  reason,
});

describe("pruning a plan", () => {
  it("sends one request a message, to the session's location, and counts what was pruned", async () => {
    const seen: PruneProgress[] = [];
    const { report, reread, requests } = await prune(
      ["msg_1", "msg_2"],
      [pruned("msg_1"), pruned("msg_2")],
      undefined,
      (progress) => seen.push(progress),
    );
    expect(report).toEqual({
      prunedParts: 4,
      prunedMessages: 2,
      prunedBytes: 30,
      skippedMessages: 0,
      refused: [],
      stopped: false,
    });
    expect(reread).toEqual(["msg_1", "msg_2"]);
    expect(requests[0]?.url).toBe(
      "/api/rpc/codenomad.session-pruning/prune?location%5Bdirectory%5D=%2Fproject",
    );
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      input: { sessionID: "ses_1", messageID: "msg_1", revision: "a".repeat(64), indexes: [1, 3] },
    });
    expect(
      seen.map(({ messagesDone, messagesTotal, partsPruned }) => [messagesDone, messagesTotal, partsPruned]),
    ).toEqual([
      [0, 2, 0],
      [1, 2, 2],
      [2, 2, 4],
    ]);
  });

  it("counts a refusal with its reason and goes on", async () => {
    const { report, reread } = await prune(["msg_1", "msg_2"], [blocked("conflict"), pruned("msg_2")]);
    expect(report).toMatchObject({ prunedMessages: 1, refused: [refusalOf("msg_1", "conflict")] });
    expect(reread).toEqual(["msg_2"]);
  });

  it.each([
    ["rpc.unavailable", "unavailable"],
    ["rpc.method_not_found", "unavailable"],
    ["rpc.invalid_input", "not_deletable"],
  ])("understands %s as %s", async (type, reason) => {
    const { report } = await prune(["msg_1"], [refused(400, { _tag: "RpcError", type, message: "" })]);
    expect(report.refused).toEqual([refusalOf("msg_1", reason)]);
  });

  it("stops between messages, after the one under way", async () => {
    const stop = new AbortController();
    const { report, requests } = await prune(
      ["msg_1", "msg_2", "msg_3"],
      [
        (response, request) => {
          stop.abort();
          setTimeout(() => pruned("msg_1")(response, request), 20);
        },
      ],
      stop.signal,
    );
    expect(requests).toHaveLength(1);
    expect(report).toMatchObject({ prunedMessages: 1, skippedMessages: 2, refused: [], stopped: true });
  });
});

describe("a request without an answer", () => {
  it.each([
    ["late", never],
    ["cut", cut],
    ["an internal error", refused(500, { _tag: "RpcInternalError", message: "" })],
  ])("is sent again, the very same, when it was %s", async (_, failing) => {
    const { report, requests } = await prune(["msg_1"], [failing, failing, pruned("msg_1")]);
    expect(report).toMatchObject({ prunedMessages: 1, prunedParts: 2, refused: [] });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ url, body }) => url + body)).size).toBe(1);
  });

  it("has an unknown outcome, is read again, and ends the rest, when none ever comes", async () => {
    const { report, reread, requests } = await prune(["msg_1", "msg_2"], []);
    expect(requests).toHaveLength(3);
    expect(report).toMatchObject({
      prunedMessages: 0,
      skippedMessages: 1,
      refused: [refusalOf("msg_1", "unknown_outcome")],
      stopped: true,
    });
    expect(reread).toEqual(["msg_1"]);
  });

  it("is known not to have happened when only a conflict comes after it", async () => {
    const { report } = await prune(["msg_1"], [cut, blocked("conflict")]);
    expect(report.refused).toEqual([refusalOf("msg_1", "conflict")]);
  });

  it("stays unknown when another refusal comes after it", async () => {
    const { report, reread } = await prune(["msg_1"], [cut, blocked("maintenance_required")]);
    expect(report.refused).toEqual([refusalOf("msg_1", "unknown_outcome")]);
    expect(reread).toEqual(["msg_1"]);
  });

  it("ends its waiting when the caller stops", async () => {
    const stop = new AbortController();
    const { report, requests } = await prune(
      ["msg_1"],
      [
        (response) => {
          stop.abort();
          response.destroy();
        },
      ],
      stop.signal,
    );
    expect(requests).toHaveLength(1);
    expect(report.refused).toEqual([refusalOf("msg_1", "unknown_outcome")]);
  });

  it("cannot have happened when nobody listened", async () => {
    server = await startFakeServer(() => {});
    await server.close();
    const pruning = createPruning({ client: OpenCode.make({ baseUrl: server.url }), retries: [1] });
    const plan = { messages: [planned("msg_1"), planned("msg_2")], refused: [], parts: 4, bytes: 30 };
    expect(await pruning.prune(plan, {})).toMatchObject({
      refused: [refusalOf("msg_1", "unavailable")],
      skippedMessages: 1,
      stopped: true,
    });
  });
});

describe("an answer that is not the contract's", () => {
  it.each([
    ["another shape", output({ status: "pruned" })],
    ["another message", pruned("msg_2")],
    ["another count", pruned("msg_1", 1)],
    ["no JSON", ((response) => response.end("<html>")) as Answer],
  ])("with %s means that the outcome is unknown", async (_, answer) => {
    const { report, reread } = await prune(["msg_1"], [answer]);
    expect(report).toMatchObject({ prunedParts: 0, refused: [refusalOf("msg_1", "unknown_outcome")] });
    expect(reread).toEqual(["msg_1"]);
  });
});
