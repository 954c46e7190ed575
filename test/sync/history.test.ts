import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DATABASE_NAME, MessageCache, type SessionToKeep } from "../../src/cache/index.ts";
import type { Notice } from "../../src/state/ports.ts";
import { createHistory, type HistoryOptions } from "../../src/sync/index.ts";
import { session as keptSession } from "../cache/support/sessions.ts";
import { expectCacheConverged, expectConverged } from "./support/converged.ts";
import { assistant, FakeDaemon, noReads, user } from "./support/fake-daemon.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { TestClock } from "./support/test-clock.ts";

const SESSIONS = 6;

function world(options: Partial<HistoryOptions> = {}, kind: "exact" | "weak" = "exact") {
  const clock = new TestClock();
  const daemon = new FakeDaemon(clock, kind);
  for (let n = 0; n < SESSIONS; n += 1) {
    daemon.create(`ses_${n}`, [user(`msg_${n}_user`), assistant(`msg_${n}_1`), assistant(`msg_${n}_2`)]);
  }
  const open = (more: Partial<HistoryOptions> = {}) => {
    const history = createHistory({
      source: daemon,
      events: daemon,
      clock,
      chance: () => 0.5,
      ...options,
      ...more,
    });
    onTestFinished(() => history.stop());
    history.start();
    return history;
  };
  return { clock, daemon, open, history: open() };
}

describe("a history", () => {
  it("says who answers its reads, as soon as something was read", async () => {
    const { clock, daemon, open } = world();
    await clock.advance(5_000);
    const history = open({ source: Object.assign(daemon, { answeredBy: "native" as const }) });
    expect(history.snapshot().reads).toBeUndefined();
    await clock.advance(5_000);
    expect(history.snapshot().reads).toBe("native");
    Object.assign(daemon, { answeredBy: "plugin" });
    daemon.prune({ sessionID: "ses_0", messageID: "msg_0_1" });
    await clock.advance(5_000);
    expect(history.snapshot().reads).toBe("plugin");
  });

  it("tells of changes at most once a frame, however many there are", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    let calls = 0;
    history.onChange(() => {
      calls += 1;
    });
    for (let n = 0; n < 500; n += 1) daemon.rename("ses_0", `title ${n}`);
    await clock.advance(330);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(11);
    expect(history.snapshot()).toBe(history.snapshot());
  });

  it("leaves sessions that did not change the objects that they were", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    const before = history.snapshot();
    daemon.prune({ sessionID: "ses_0", messageID: "msg_0_1" });
    await clock.advance(5_000);
    const after = history.snapshot();
    expect(after.sessions.get("ses_0")).not.toBe(before.sessions.get("ses_0"));
    expect(after.sessions.get("ses_1")).toBe(before.sessions.get("ses_1"));
    const [untouched] = [...(after.outlines.get("ses_0")?.messages ?? [])].filter(
      (message) => message.messageID === "msg_0_2",
    );
    expect(before.outlines.get("ses_0")?.messages).toContain(untouched);
  });

  it("reads the message again after a prune, and says that it is refreshing until then", async () => {
    const { clock, daemon, history } = world();
    const notices: Notice[] = [];
    history.onNotice((notice) => notices.push(notice));
    await clock.advance(5_000);
    daemon.reads = noReads();
    daemon.prune({ sessionID: "ses_3", messageID: "msg_3_1" });
    await clock.advance(1);
    const during = history.snapshot();
    expect(during.sessions.get("ses_3")).toMatchObject({ confirmed: false, refreshing: true });
    expect(during.outlines.get("ses_3")?.refreshingMessages).toEqual(new Set(["msg_3_1"]));
    expect(during.outlines.get("ses_3")?.messages[0]?.parts).toHaveLength(2);
    await clock.advance(10);
    expect(history.snapshot().outlines.get("ses_3")?.messages[0]?.parts).toHaveLength(0);
    expect(daemon.reads).toEqual({ ...noReads(), message: ["msg_3_1"] });
    await clock.advance(2_000);
    expect(notices.at(-1)).toMatchObject({ kind: "pruned", messageID: "msg_3_1", byUs: false });
  });

  it.each(["before", "after"])(
    "tells a prune of ours once, when its event comes %s the answer",
    async (when) => {
      const { clock, daemon, history } = world();
      const notices: Notice[] = [];
      await clock.advance(5_000);
      history.onNotice((notice) => notices.push(notice));
      daemon.delivery = () => [when === "before" ? 0 : 300];
      daemon.prune({ sessionID: "ses_3", messageID: "msg_3_1" });
      await clock.advance(100);
      history.pruned({ sessionID: "ses_3", messageID: "msg_3_1" });
      await clock.advance(3_000);
      expect(notices).toHaveLength(1);
      expect(notices[0]).toMatchObject({ kind: "pruned", byUs: true });
    },
  );

  it("tells a prune of ours with its answer, and does not wait for the event", async () => {
    const { clock, daemon, history } = world();
    const notices: Notice[] = [];
    await clock.advance(5_000);
    history.onNotice((notice) => notices.push(notice));
    daemon.delivery = () => [900];
    daemon.prune({ sessionID: "ses_3", messageID: "msg_3_1" });
    history.pruned({ sessionID: "ses_3", messageID: "msg_3_1" });
    expect(notices).toMatchObject([{ kind: "pruned", byUs: true }]);
    await clock.advance(3_000);
    expect(notices).toHaveLength(1);
  });

  it("makes a burst of native events one read, and at most one follow-up", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    history.show(["ses_0"]);
    daemon.latency = 1_000;
    daemon.reads = noReads();
    for (let n = 0; n < 200; n += 1) {
      daemon.write("ses_0", assistant("msg_0_1", n));
      await clock.advance(5);
    }
    await clock.advance(20_000);
    expect(daemon.reads.message.length).toBeLessThanOrEqual(2);
    expect(daemon.reads.outline).toEqual([]);
    expectConverged(history, daemon);
  });

  it("reads again after a reconnect only what changed", async () => {
    const { clock, daemon, history } = world();
    const notices: Notice[] = [];
    history.onNotice((notice) => notices.push(notice));
    await clock.advance(5_000);
    daemon.down = true;
    daemon.cut();
    daemon.prune({ sessionID: "ses_2", messageID: "msg_2_2" });
    daemon.delete("ses_4");
    await clock.advance(3_000);
    expect(history.snapshot().connection).toMatchObject({ phase: "lost", problem: "connection refused" });
    expect(history.snapshot().sessions.get("ses_1")?.confirmed).toBe(false);
    daemon.down = false;
    daemon.reads = noReads();
    await clock.advance(20_000);
    expect(daemon.reads).toMatchObject({ sessions: 1, session: ["ses_4"], outline: ["ses_2"], message: [] });
    expectConverged(history, daemon);
    expect(notices.map((notice) => notice.kind)).toEqual(["connected", "lost", "reconciled"]);
    expect(notices.at(-1)).toMatchObject({ sessions: 5, reread: 1 });
  });

  it("takes a stream that is silent past a few heartbeats for a lost one", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(100_000);
    expect(history.snapshot().connection.phase).toBe("live");
    daemon.muted = true;
    daemon.prune({ sessionID: "ses_2", messageID: "msg_2_2" });
    await clock.advance(30_000);
    expect(history.snapshot().connection.phase).toBe("live");
    await clock.advance(40_000);
    expectConverged(history, daemon);
  });

  it("comes back at once when somebody asks for it", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    daemon.down = true;
    daemon.cut();
    await clock.advance(60_000);
    daemon.down = false;
    history.refresh();
    await clock.advance(50);
    expect(history.snapshot().connection.phase).toBe("live");
  });

  it("reads what is on the screen before what is not", async () => {
    const { clock, daemon, open } = world();
    await clock.advance(5_000);
    daemon.reads = noReads();
    const history = open();
    history.show(["ses_0", "ses_1"]);
    history.follow("ses_2");
    await clock.advance(5_000);
    expect(daemon.reads.outline.filter((id, at, all) => all.indexOf(id) === at).slice(0, 3)).toEqual([
      "ses_2",
      "ses_0",
      "ses_1",
    ]);
  });

  it("says why a session cannot be read, and goes on trying", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    history.show(["ses_0"]);
    daemon.failing = 3;
    history.refresh();
    await clock.advance(100);
    expect(history.snapshot().outlines.get("ses_0")).toMatchObject({
      problem: "the connection was cut",
      confirmed: false,
    });
    await clock.advance(60_000);
    expectConverged(history, daemon);
  });

  it("holds the outlines of a bounded number of sessions, and the totals of all", async () => {
    const { clock, daemon, history } = world({ outlineBudget: 13 });
    history.follow("ses_5");
    await clock.advance(5_000);
    const { outlines, sessions } = history.snapshot();
    expect(outlines.size).toBe(2);
    expect(outlines.has("ses_5")).toBe(true);
    expect([...sessions.values()].every((session) => session.technical?.parts === 4)).toBe(true);
    expectConverged(history, daemon);
  });
});

describe("message contents", () => {
  it("come from memory until something happens to the message", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    const reference = { sessionID: "ses_0", messageID: "msg_0_1" };
    const read = async () => {
      const content = history.message(reference);
      await clock.advance(50);
      return (await content).parts.length;
    };
    daemon.reads = noReads();
    expect([await read(), await read()]).toEqual([3, 3]);
    expect(daemon.reads.message).toHaveLength(1);
    daemon.prune(reference);
    await clock.advance(50);
    daemon.reads = noReads();
    expect(await read()).toBe(1);
    expect(daemon.reads.message).toHaveLength(1);
  });

  it("that were read while the message was pruned are read again", async () => {
    const { clock, daemon, history } = world();
    await clock.advance(5_000);
    daemon.latency = 100;
    const reference = { sessionID: "ses_0", messageID: "msg_0_1" };
    const content = history.message(reference);
    await clock.advance(70);
    daemon.prune(reference);
    await clock.advance(1_000);
    expect((await content).parts).toHaveLength(1);
  });

  it("of a message that is gone are an error that says so", async () => {
    const { clock, history } = world();
    await clock.advance(5_000);
    const content = history.message({ sessionID: "ses_0", messageID: "msg_gone" });
    const outcome = expect(content).rejects.toThrow(/msg_gone is not in session ses_0 any more/);
    await clock.advance(50);
    await outcome;
  });
});

function withTechnicalBytes(session: ReturnType<typeof keptSession>, bytes: number): SessionToKeep {
  const { listing, content } = session;
  const totals = { ...content.totals, technical: { parts: 1, bytes } };
  return { listing, content: { ...content, totals } };
}

describe("a history with a cache", () => {
  const openCache = (folder: string, limits = {}) => {
    const cache = new MessageCache({ folder, server: "http://fake", limits });
    onTestFinished(() => cache.close());
    return cache;
  };

  it("shows at once what an earlier run knew, and says that it is not confirmed", async () => {
    const folder = temporaryFolder();
    const { clock, daemon, open, history } = world({ cache: openCache(folder) });
    await clock.advance(5_000);
    history.stop();
    daemon.down = true;
    const again = open({ cache: openCache(folder) });
    const { sessions, listed } = again.snapshot();
    expect(listed).toBe(false);
    expect(sessions.size).toBe(SESSIONS);
    expect(sessions.get("ses_1")).toMatchObject({ technical: { parts: 4 }, confirmed: false });
    again.follow("ses_1");
    expect(again.snapshot().outlines.get("ses_1")).toMatchObject({ confirmed: false, refreshing: true });
    expect(again.snapshot().outlines.get("ses_1")?.messages).toHaveLength(2);
  });

  it("has the heaviest sessions for the first frame, and all of them soon after", async () => {
    const folder = temporaryFolder();
    const cache = openCache(folder);
    const ids = Array.from({ length: 450 }, (_, n) => `ses_many_${String(n).padStart(3, "0")}`);
    cache.keep(ids.map((sessionID, n) => withTechnicalBytes(keptSession(sessionID, []), n)));
    const clock = new TestClock();
    const daemon = new FakeDaemon(clock);
    daemon.down = true;
    const history = createHistory({ source: daemon, events: daemon, clock, cache });
    onTestFinished(() => history.stop());
    expect([...history.snapshot().sessions.keys()].sort()).toEqual(ids.slice(-64));
    await clock.advance(100);
    expect([...history.snapshot().sessions.keys()].sort()).toEqual(ids);
  });

  it("reads only what changed since the earlier run", async () => {
    const folder = temporaryFolder();
    const { clock, daemon, open, history } = world({ cache: openCache(folder) });
    await clock.advance(5_000);
    history.stop();
    daemon.prune({ sessionID: "ses_2", messageID: "msg_2_1" });
    daemon.reads = noReads();
    const cache = openCache(folder);
    const again = open({ cache });
    await clock.advance(5_000);
    expect(daemon.reads.outline).toEqual(["ses_2"]);
    expectConverged(again, daemon);
    expectCacheConverged(cache, daemon);
  });

  it("says where it stands: kept, set aside, or off when it fails while the app runs", async () => {
    const folder = temporaryFolder();
    const path = join(folder, DATABASE_NAME);
    writeFileSync(path, "not a database, and far too short to be one".repeat(100));
    const { clock, daemon, open, history } = world({ cache: openCache(folder) });
    expect(history.snapshot().cache).toMatchObject({
      state: "set_aside",
      problem: expect.stringContaining(path),
    });
    await clock.advance(5_000);
    history.stop();
    const again = open({ cache: openCache(folder, { pages: 1 }) });
    expect(again.snapshot().cache).toEqual({ state: "kept" });
    for (let n = 0; n < 60; n += 1) daemon.write("ses_1", assistant(`msg_1_${n}_${"long".repeat(40)}`, 40));
    await clock.advance(10_000);
    expect(again.snapshot().cache).toMatchObject({ state: "off", problem: expect.stringMatching(/full/) });
    expectConverged(again, daemon);
  });

  it("shares it with another app: both end up true, and so does the cache", async () => {
    const folder = temporaryFolder();
    const cache = openCache(folder);
    const { clock, daemon, open, history } = world({ cache });
    const other = open({ cache: openCache(folder) });
    await clock.advance(1_000);
    daemon.prune({ sessionID: "ses_2", messageID: "msg_2_1" });
    daemon.write("ses_1", assistant("msg_1_9", 40));
    daemon.delete("ses_5");
    await clock.advance(10_000);
    expectConverged(history, daemon);
    expectConverged(other, daemon);
    expectCacheConverged(cache, daemon);
  });
});
