import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_BATCH, MAX_BULK, PruneBatchOutput, PruneBulkOutput } from "../../src/contract/index.ts";
import { FakeDaemon, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";
import { countTurns } from "./support/turns.ts";

let daemon: FakeDaemon;
let unload: () => Promise<void>;
const DATA = stored([TEXT, TOOL, REASONING]);
const revision = revisionOfStored(DATA);

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  for (let at = 0; at < 20; at += 1) daemon.insertMessage(DATA, `msg_${at}`);
  unload = await daemon.load();
});
afterEach(() => daemon.remove());

const candidate = (at: number, more: object = {}) => ({
  messageID: `msg_${at}`,
  revision,
  toolCount: 1,
  reasoningCount: 1,
  ...more,
});
const byIndexes = (at: number, indexes = [1]) => ({ messageID: `msg_${at}`, revision, indexes });
const first = (howMany: number) => Array.from({ length: howMany }, (_, at) => at);

describe("pruneBatch", () => {
  const batch = async (candidates: readonly object[]) =>
    PruneBatchOutput.parse(await daemon.call("pruneBatch", { sessionID: SESSION, candidates })).results;

  it("prunes each message in a transaction of its own, and announces each", async () => {
    const results = await batch(first(16).map((at) => candidate(at)));
    expect(results.map((one) => one.messageID)).toEqual(first(16).map((at) => `msg_${at}`));
    for (const { result } of results) expect(result).toMatchObject({ status: "pruned", removedCount: 2 });
    expect(daemon.data("msg_3")).toBe(stored([TEXT]));
    expect(daemon.data("msg_16")).toBe(DATA);
    expect(daemon.emitted).toHaveLength(16);
    expect(daemon.receipts()).toHaveLength(16);
  });

  it("needs one nonce for all of them, and leaves none behind", async () => {
    await batch(first(16).map((at) => candidate(at)));
    expect(daemon.storageCalls.filter((call) => call.startsWith("set"))).toHaveLength(1);
    expect(daemon.nonces()).toEqual([]);
  });

  it("lets the event loop run between two messages", async () => {
    const turns = countTurns();
    await batch(first(16).map((at) => candidate(at)));
    expect(turns.count()).toBeGreaterThanOrEqual(15);
  });

  it("answers for every message when the plugin is unloaded meanwhile", async () => {
    daemon.afterStorageSet = () => setImmediate(() => void unload());
    const results = await batch(first(16).map((at) => candidate(at)));
    const reasons = results.map(({ result }) =>
      result.status === "blocked" ? result.reason : result.status,
    );
    const pruned = first(16).filter((at) => daemon.data(`msg_${at}`) !== DATA);
    expect(pruned.length).toBeLessThan(16);
    expect(reasons).toEqual(first(16).map((at) => (pruned.includes(at) ? "pruned" : "unavailable")));
  });

  it("refuses one message and prunes the others", async () => {
    const results = await batch([
      candidate(0),
      candidate(1, { revision: "0".repeat(64) }),
      candidate(2, { toolCount: 2 }),
      candidate(3, { reasoningCount: 0 }),
      candidate(99),
      candidate(4),
    ]);
    expect(
      results.map(({ result }) => (result.status === "blocked" ? result.reason : result.status)),
    ).toEqual(["pruned", "conflict", "conflict", "conflict", "not_deletable", "pruned"]);
    for (const at of [1, 2, 3]) expect(daemon.data(`msg_${at}`)).toBe(DATA);
  });

  it("refuses a message without technical parts", async () => {
    daemon.insertMessage(stored([TEXT]), "msg_plain");
    const plain = {
      messageID: "msg_plain",
      revision: revisionOfStored(stored([TEXT])),
      toolCount: 0,
      reasoningCount: 0,
    };
    expect(await batch([plain])).toEqual([
      { messageID: "msg_plain", result: { status: "blocked", reason: "not_deletable" } },
    ]);
  });

  it("answers the same request with the same receipts, and deletes nothing more", async () => {
    const candidates = first(4).map((at) => candidate(at));
    const once = await batch(candidates);
    const before = daemon.data("msg_0");
    expect(await batch([...candidates].reverse())).toEqual([...once].reverse());
    expect(daemon.data("msg_0")).toBe(before);
    expect(daemon.receipts()).toHaveLength(4);
    expect(daemon.emitted).toHaveLength(8);
  });

  it("refuses every message while the session runs, or somebody writes", async () => {
    daemon.database.exec("UPDATE session_v2 SET time_suspended = 1");
    const blocked = first(2).map((at) => ({
      messageID: `msg_${at}`,
      result: { status: "blocked", reason: "maintenance_required" },
    }));
    const candidates = first(2).map((at) => candidate(at));
    expect(await batch(candidates)).toEqual(blocked);
    daemon.database.exec("UPDATE session_v2 SET time_suspended = NULL");
    daemon.database.exec("BEGIN IMMEDIATE");
    expect(await batch(candidates)).toEqual(blocked);
    daemon.database.exec("ROLLBACK");
    expect(daemon.data("msg_0")).toBe(DATA);
  });

  it.each([
    ["no candidate", []],
    ["more than sixteen", first(MAX_BATCH + 1).map((at) => candidate(at))],
    ["one message twice", [candidate(0), candidate(0)]],
    ["indexes", [{ ...candidate(0), indexes: [1] }]],
    ["a negative count", [candidate(0, { toolCount: -1 })]],
  ])("refuses %s", async (_, candidates) => {
    await expect(batch(candidates)).rejects.toThrow(/rpc.invalid_input: .*(candidates|indexes|toolCount)/);
    expect(daemon.data("msg_0")).toBe(DATA);
  });
});

describe("pruneBulk", () => {
  const bulk = async (requests: readonly object[], signal?: AbortSignal) =>
    PruneBulkOutput.parse(await daemon.call("pruneBulk", { sessionID: SESSION, requests }, signal));

  it("takes many messages, by indexes or by counts, under one nonce", async () => {
    const { results, left } = await bulk([
      ...first(18).map((at) => byIndexes(at)),
      candidate(18),
      candidate(19),
    ]);
    expect(left).toBe(0);
    expect(results.map(({ result }) => result.status)).toEqual(new Array(20).fill("pruned"));
    expect(daemon.data("msg_0")).toBe(stored([TEXT, REASONING]));
    expect(daemon.data("msg_19")).toBe(stored([TEXT]));
    expect(daemon.storageCalls.filter((call) => call.startsWith("set"))).toHaveLength(1);
    expect(daemon.nonces()).toEqual([]);
  });

  it("shares its receipts with prune: either way the same request is one deletion", async () => {
    const { results } = await bulk([byIndexes(0, [2, 1])]);
    const again = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: "msg_0",
      revision,
      indexes: [1, 2],
    });
    expect(again).toEqual(results[0]?.result);
    expect(daemon.receipts()).toHaveLength(1);
  });

  it("stops at its bound of bytes and says how many are left, and the rest can be sent again", async () => {
    const large = stored([TEXT, TOOL.replace("output", "o".repeat(9 * 1024 * 1024))]);
    for (let at = 0; at < 6; at += 1) daemon.insertMessage(large, `msg_large_${at}`);
    const requests = first(6).map((at) => ({
      messageID: `msg_large_${at}`,
      revision: revisionOfStored(large),
      indexes: [1],
    }));
    let sent = requests;
    const pruned: string[] = [];
    while (sent.length > 0) {
      const { results, left } = await bulk(sent);
      expect(results.length).toBeGreaterThan(0);
      expect(results.length + left).toBe(sent.length);
      pruned.push(...results.map((one) => one.messageID));
      for (const { messageID } of sent.slice(results.length)) expect(daemon.data(messageID)).toBe(large);
      sent = sent.slice(results.length);
      if (pruned.length < 6) expect(left).toBeGreaterThan(0);
    }
    expect(pruned).toEqual(requests.map((one) => one.messageID));
  });

  it("lets the event loop run between two messages that take long", async () => {
    const long = stored([TEXT, TOOL.replace("output", "o".repeat(4 * 1024 * 1024))]);
    for (let at = 0; at < 4; at += 1) daemon.insertMessage(long, `msg_long_${at}`);
    const turns = countTurns();
    const { results } = await bulk(
      first(4).map((at) => ({ messageID: `msg_long_${at}`, revision: revisionOfStored(long), indexes: [1] })),
    );
    expect(turns.count()).toBeGreaterThanOrEqual(results.length - 1);
    expect(results.length).toBeGreaterThan(1);
  });

  it("stops between two messages when the caller has left", async () => {
    const caller = new AbortController();
    daemon.afterStorageSet = () => setImmediate(() => caller.abort(new Error("left")));
    await expect(
      bulk(
        first(20).map((at) => byIndexes(at)),
        caller.signal,
      ),
    ).rejects.toThrow("left");
    const pruned = first(20).filter((at) => daemon.data(`msg_${at}`) !== DATA);
    expect(pruned.length).toBeGreaterThan(0);
    expect(pruned.length).toBeLessThan(20);
    expect(daemon.receipts()).toHaveLength(pruned.length);
    expect(daemon.emitted).toHaveLength(pruned.length);
    expect(daemon.nonces()).toEqual([]);
  });

  it.each([
    ["no request", []],
    ["too many", first(MAX_BULK + 1).map((at) => byIndexes(at))],
    ["one message twice", [byIndexes(0), candidate(0)]],
  ])("refuses %s", async (_, requests) => {
    await expect(bulk(requests)).rejects.toThrow(/rpc.invalid_input: requests/);
  });
});
