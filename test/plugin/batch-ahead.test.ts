import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PruneBulkOutput } from "../../src/contract/index.ts";
import { MessagesAhead } from "../../src/plugin/batch/messages-ahead.ts";
import type { Lease } from "../../src/plugin/reading/index.ts";
import type { StoredRequest } from "../../src/plugin/reading/reader.ts";
import { readStoredMessage, type StoredMessage } from "../../src/plugin/stored-message.ts";
import { openBetterSqlite } from "./support/better-sqlite.ts";
import { FakeDaemon, SESSION } from "./support/fake-daemon.ts";
import { leaseInProcess } from "./support/in-process-thread.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const DATA = stored([TEXT, TOOL.replace("output", "o".repeat(20_000)), REASONING]);
const COUNT = 200;
const ids = Array.from({ length: COUNT }, (_, at) => `msg_${at}`);
const requests = ids.map((messageID) => ({ messageID, revision: revisionOfStored(DATA), indexes: [1] }));

describe("a bulk call whose messages are taken apart by the reading thread", () => {
  let daemon: FakeDaemon;
  let lease: Lease;
  /** What the thread was asked for, and what it answered. */
  let asked: string[];
  let answered: number;
  let answer: (messages: readonly (StoredMessage | null)[]) => readonly (StoredMessage | null)[];

  beforeEach(async () => {
    daemon = new FakeDaemon();
    daemon.insertSession();
    for (const id of ids) daemon.insertMessage(DATA, id);
    lease = leaseInProcess(openBetterSqlite);
    asked = [];
    answered = 0;
    answer = (messages) => messages;
    const { thread } = lease.shared;
    const original = thread.stored.bind(thread);
    thread.stored = async (request: StoredRequest) => {
      asked.push(...request.messageIDs);
      const messages = answer(await original(request));
      answered += messages.filter((message) => message !== null).length;
      return messages;
    };
    await daemon.load({ lease });
  });
  afterEach(() => daemon.remove());

  const bulk = async (these: readonly object[]) => {
    const results = [];
    for (let sent = these; sent.length > 0; ) {
      const input = { sessionID: SESSION, requests: sent };
      const output = PruneBulkOutput.parse(await daemon.call("pruneBulk", input));
      results.push(...output.results.map((one) => one.result));
      sent = sent.slice(output.results.length);
    }
    return results;
  };
  const statuses = async () =>
    (await bulk(requests)).map((result) => (result.status === "blocked" ? result.reason : result.status));

  it("prunes them all, and asks the thread for many of them in their order", async () => {
    expect(await statuses()).toEqual(new Array(COUNT).fill("pruned"));
    for (const id of ids) expect(daemon.data(id)).toBe(stored([TEXT, REASONING]));
    expect(daemon.receipts()).toHaveLength(COUNT);
    expect(daemon.emitted).toHaveLength(COUNT);
    expect(asked.length).toBeGreaterThan(COUNT / 4);
    expect(asked).toEqual(ids.filter((id) => asked.includes(id)));
    expect(answered).toBeGreaterThan(0);
  });

  it("does without it where the thread cannot be had", async () => {
    answer = () => {
      throw new Error("no thread");
    };
    expect(await statuses()).toEqual(new Array(COUNT).fill("pruned"));
    expect(asked.length).toBeLessThan(COUNT / 4);
  });

  it("uses nothing that is not, to the character, what is stored", async () => {
    const other = stored([TEXT.replace("text", "other"), TOOL, REASONING]);
    const changed = readStoredMessage(other);
    answer = (messages) => messages.map(() => changed ?? null);
    expect(await statuses()).toEqual(new Array(COUNT).fill("pruned"));
    for (const id of ids) expect(daemon.data(id)).toBe(stored([TEXT, REASONING]));
    expect(answered).toBeGreaterThan(0);
  });

  it("refuses a message that was changed after the thread had read it", async () => {
    const changed = stored([TEXT, REASONING, TOOL]);
    let target = "";
    answer = (messages) => {
      const read = asked.at(-1) ?? "";
      if (target === "" && messages.at(-1) && daemon.data(read) === DATA) {
        target = read;
        daemon.database.prepare("UPDATE session_message SET data = ? WHERE id = ?").run(changed, target);
      }
      return messages;
    };
    expect(await statuses()).toEqual(ids.map((id) => (id === target ? "conflict" : "pruned")));
    expect(daemon.data(target)).toBe(changed);
  });

  it("leaves large messages, and those that cannot be read, to the call itself", async () => {
    const large = stored([TEXT, TOOL.replace("output", "o".repeat(300_000))]);
    daemon.insertMessage(large, "msg_large");
    daemon.insertMessage("no JSON", "msg_broken");
    const messages = await lease.shared.thread.stored({
      path: daemon.path,
      messageIDs: ["msg_large", "msg_broken", "msg_gone", "msg_0"],
    });
    expect(messages.map((message) => message?.revision ?? null)).toEqual([
      null,
      null,
      null,
      revisionOfStored(DATA),
    ]);
  });

  it("answers nothing for a file that is not there", async () => {
    const messageIDs = ["msg_0"];
    expect(await lease.shared.thread.stored({ path: "/nowhere/at/all.db", messageIDs })).toEqual([null]);
  });

  it("asks the thread nothing for a few messages, or for pruneBatch", async () => {
    await bulk(requests.slice(0, 8));
    const candidates = ids
      .slice(20, 36)
      .map((messageID) => ({ messageID, revision: revisionOfStored(DATA), toolCount: 1, reasoningCount: 1 }));
    await daemon.call("pruneBatch", { sessionID: SESSION, candidates });
    expect(asked).toEqual([]);
  });
});

describe("messages ahead", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const message = readStoredMessage(DATA) as StoredMessage;
  const many = Array.from({ length: 1_000 }, (_, at) => `msg_${at}`);
  let asked: string[];
  const answering = async (messageIDs: readonly string[]) => {
    asked.push(...messageIDs);
    return messageIDs.map((_, at) => (at === 0 ? null : message));
  };
  beforeEach(() => {
    asked = [];
  });

  it("are asked for in time, and never all at once", async () => {
    const ahead = new MessagesAhead(many, answering);
    let ready = 0;
    for (const place of many.keys()) {
      if (ahead.take(place)) ready += 1;
      await turn();
      expect(asked.length).toBeLessThan(place + 200);
    }
    expect(ready).toBeGreaterThan(800);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("are held up to some millions of characters, and asked for again once those are taken", async () => {
    const large = { ...message, text: " ".repeat(1_000_000) };
    const ahead = new MessagesAhead(many, async (messageIDs) => {
      await answering(messageIDs);
      return messageIDs.map(() => large);
    });
    ahead.take(0);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    const held = asked.length;
    expect(held).toBeLessThan(40);
    for (let place = 1; place < 60; place += 1) {
      ahead.take(place);
      await turn();
    }
    expect(asked.length).toBeGreaterThan(held);
    expect(asked.length).toBeLessThan(100);
  });

  it("are not waited for: what was needed before its answer came is forgotten", async () => {
    let reply = () => {};
    const late = new Promise<void>((resolve) => {
      reply = resolve;
    });
    const ahead = new MessagesAhead(many.slice(0, 60), async (messageIDs) => {
      await late;
      return answering(messageIDs);
    });
    for (let place = 0; place < 50; place += 1) expect(ahead.take(place)).toBeUndefined();
    reply();
    await turn();
    expect(ahead.take(50)).toBeUndefined();
    await turn();
    expect(asked).not.toContain("msg_51");
  });

  it("are asked for no more once the call has ended", async () => {
    const ahead = new MessagesAhead(many, answering);
    ahead.take(0);
    ahead.end();
    const before = asked.length;
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(asked.length).toBe(before);
  });
});
