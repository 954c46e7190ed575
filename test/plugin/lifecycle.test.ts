import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PUBLISHED_PLUGIN_ID } from "../../src/contract/index.ts";
import { setUp } from "../../src/plugin/setup.ts";
import { openBetterSqlite } from "./support/better-sqlite.ts";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { leaseInProcess } from "./support/in-process-thread.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

const BEFORE = stored([TEXT, TOOL, REASONING]);
const request = { sessionID: SESSION, messageID: MESSAGE, revision: revisionOfStored(BEFORE), indexes: [1] };
const published = { id: PUBLISHED_PLUGIN_ID, state: { status: "active" } };

let daemon: FakeDaemon;
beforeEach(() => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertMessage(BEFORE);
});
afterEach(() => daemon.remove());

describe("the plugin", () => {
  it("touches neither storage nor database by being loaded", async () => {
    const before = daemon.everything();
    const dispose = await daemon.load();
    await dispose();
    expect(daemon.everything()).toBe(before);
    expect(daemon.storageCalls).toEqual([]);
  });

  it("takes its registration away when it is disposed", async () => {
    const dispose = await daemon.load();
    await daemon.call("prune", request);
    await dispose();
    expect(daemon.registered).toEqual([]);
    await expect(daemon.call("prune", request)).rejects.toThrow("rpc.unavailable");
  });

  it("works when it is loaded twice, and still when one of the two goes", async () => {
    const first = await daemon.load();
    await daemon.load();
    const answer = await daemon.call("prune", request);
    expect(answer).toMatchObject({ status: "pruned" });
    await first();
    expect(await daemon.call("prune", request)).toEqual(answer);
  });

  it("at one location does not mind a location whose database is missing", async () => {
    await daemon.load();
    await daemon.load({ databasePath: `${daemon.folder}/none.db` });
    expect(await daemon.call("prune", request)).toEqual({ status: "blocked", reason: "unavailable" });
    daemon.registered.pop();
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });

  it("does not fail a prune whose event cannot be delivered", async () => {
    await daemon.load();
    daemon.emit = () => {
      throw new Error("nobody listens");
    };
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
    expect(daemon.data()).toBe(stored([TEXT, REASONING]));
    expect(daemon.receipts()).toHaveLength(1);
  });

  it("does not wait for an event that is never delivered", async () => {
    await daemon.load();
    daemon.emit = () => new Promise(() => {});
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });
});

describe("standing down for the published plugin", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("registers nothing while that one is active", async () => {
    daemon.plugins.push(published);
    await daemon.load();
    expect(daemon.registered).toEqual([]);
  });

  it("minds only an active one", async () => {
    daemon.plugins.push({ ...published, state: { status: "failed" } }, { ...published, id: "another" });
    await daemon.load();
    expect(daemon.registered).toHaveLength(1);
  });

  it("gives way when it appears later, and takes over when it goes", async () => {
    await daemon.load();
    daemon.plugins.push(published);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(daemon.registered).toEqual([]);
    daemon.plugins.pop();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(daemon.registered).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(daemon.registered).toHaveLength(1);
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });

  it("does not come back after it was disposed", async () => {
    daemon.plugins.push(published);
    const dispose = await daemon.load();
    daemon.plugins.pop();
    await dispose();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(daemon.registered).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does without the daemon's list of plugins", async () => {
    daemon.plugins.push(published);
    const host = daemon.host();
    const list = async () => {
      throw new Error("no list here");
    };
    const dispose = await setUp(
      { ...host, plugin: { list } },
      openBetterSqlite,
      leaseInProcess(openBetterSqlite),
    );
    expect(daemon.registered).toHaveLength(1);
    await dispose();
  });

  it("looks again after the list could not be had", async () => {
    const host = daemon.host();
    let fails = true;
    const list = async () => {
      if (fails) throw new Error("not now");
      return { data: [published] };
    };
    const dispose = await setUp(
      { ...host, plugin: { list } },
      openBetterSqlite,
      leaseInProcess(openBetterSqlite),
    );
    expect(daemon.registered).toHaveLength(1);
    fails = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(daemon.registered).toEqual([]);
    await dispose();
  });
});
