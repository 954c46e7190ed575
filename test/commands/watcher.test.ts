import { describe, expect, it } from "vitest";
import type { DocumentBody } from "../../src/commands/documents/index.ts";
import { createWatcher } from "../../src/commands/watcher.ts";
import { FakeDaemon } from "../sync/support/fake-daemon.ts";
import { TestClock } from "../sync/support/test-clock.ts";

type Told = DocumentBody<"event">;

const HOUR = 3_600_000;

function start(fingerprints: "exact" | "weak" = "exact") {
  const clock = new TestClock();
  const daemon = new FakeDaemon(clock, fingerprints);
  const told: Told[] = [];
  const watcher = createWatcher({ source: daemon, events: daemon, clock, tell: (event) => told.push(event) });
  return { clock, daemon, told, watcher };
}

/** A session with one technical part in each of its messages. */
function fill(daemon: FakeDaemon, sessionID: string, messages: number): void {
  daemon.create(
    sessionID,
    Array.from({ length: messages }, (_, position) => ({
      id: `msg_${sessionID}_${position}`,
      type: "assistant" as const,
      time: { created: position + 1, completed: position + 2 },
      content: [
        { type: "text", text: "kept" },
        { type: "reasoning", text: "gone soon" },
      ],
    })),
  );
}

const kinds = (told: readonly Told[]) => told.map(({ event }) => event);
const prunedIn = (told: readonly Told[]) =>
  told.flatMap((event) => (event.event === "pruned" ? [event.messageID] : []));

describe("watching", () => {
  it("tells of a prune at once, with the session's title and the new revision", async () => {
    const { clock, daemon, told, watcher } = start();
    fill(daemon, "ses_1", 1);
    watcher.start();
    await clock.advance(1_000);
    daemon.prune({ sessionID: "ses_1", messageID: "msg_ses_1_0" });
    await clock.advance(1);
    expect(told).toEqual([
      expect.objectContaining({ event: "connected", sessions: 1 }),
      {
        event: "pruned",
        at: expect.any(Number),
        sessionID: "ses_1",
        messageID: "msg_ses_1_0",
        revision: expect.stringMatching(/^[0-9a-f]{64}$/),
        title: "Title of ses_1",
      },
    ]);
    watcher.stop();
  });

  it("loses no pruned event of an hour while it is connected, and reports every gap", async () => {
    const { clock, daemon, told, watcher } = start();
    for (let session = 0; session < 20; session += 1) fill(daemon, `ses_${session}`, 180);
    watcher.start();
    await clock.advance(1_000);

    const sent: string[] = [];
    const missed: { gap: number; sessionID: string; messageID: string }[] = [];
    const gaps: number[] = [];
    for (let second = 0; second < HOUR / 1_000; second += 1) {
      const isDown = second % 400 > 380;
      if (isDown && !daemon.down) {
        daemon.down = true;
        daemon.cut();
        gaps.push(clock.now());
      }
      if (!isDown && daemon.down) daemon.down = false;
      const reference = {
        sessionID: `ses_${second % 20}`,
        messageID: `msg_ses_${second % 20}_${Math.floor(second / 20)}`,
      };
      daemon.prune(reference);
      const isConnected = !isDown && second % 400 > 60;
      if (isConnected) sent.push(reference.messageID);
      else if (isDown) missed.push({ gap: gaps.length - 1, ...reference });
      await clock.advance(1_000);
    }

    daemon.down = false;
    await clock.advance(60_000);

    const reported = prunedIn(told);
    expect(sent.length).toBeGreaterThan(2_500);
    expect(reported).toEqual(expect.arrayContaining(sent));
    expect(new Set(reported).size).toBe(reported.length);
    expect(missed.some(({ messageID }) => reported.includes(messageID))).toBe(false);

    const losses = told.filter(({ event }) => event === "lost");
    const reconciled = told.filter((event) => event.event === "reconciled");
    expect(losses.map(({ at }) => at)).toEqual(gaps);
    expect(reconciled.map(({ lostAt }) => lostAt)).toEqual(gaps);
    // What was pruned in a gap is told as a session that changed.
    for (const [gap, { lostAt, backAt, changed, exact }] of reconciled.entries()) {
      expect(exact).toBe(true);
      expect(backAt - lostAt).toBeGreaterThanOrEqual(19_000);
      const pruned = missed.filter((one) => one.gap === gap).map(({ sessionID }) => sessionID);
      expect(pruned.length).toBeGreaterThan(0);
      expect(changed).toEqual(expect.arrayContaining(pruned));
    }
    watcher.stop();
  });

  it("tells after a loss what changed in it, and not what it had seen before", async () => {
    const { clock, daemon, told, watcher } = start();
    for (const id of ["ses_seen", "ses_missed", "ses_deleted", "ses_same"]) fill(daemon, id, 1);
    watcher.start();
    await clock.advance(1_000);
    daemon.prune({ sessionID: "ses_seen", messageID: "msg_ses_seen_0" });
    await clock.advance(5_000);
    daemon.down = true;
    daemon.cut(new Error("the connection was cut"));
    daemon.prune({ sessionID: "ses_missed", messageID: "msg_ses_missed_0" });
    daemon.delete("ses_deleted");
    await clock.advance(2_000);
    daemon.down = false;
    await clock.advance(30_000);
    expect(kinds(told)).toEqual(["connected", "pruned", "lost", "reconciled"]);
    expect(told[2]).toMatchObject({ problem: "the connection was cut" });
    expect(told[3]).toMatchObject({ sessions: 3, changed: ["ses_missed"], deleted: ["ses_deleted"] });
    watcher.stop();
  });

  it("says where it cannot know of a missed prune", async () => {
    const { clock, daemon, told, watcher } = start("weak");
    fill(daemon, "ses_1", 1);
    watcher.start();
    await clock.advance(1_000);
    daemon.cut();
    await clock.advance(30_000);
    expect(told.at(-1)).toMatchObject({ event: "reconciled", exact: false });
    watcher.stop();
  });

  it("tells one loss once, however long it takes to come back", async () => {
    const { clock, daemon, told, watcher } = start();
    watcher.start();
    await clock.advance(1_000);
    daemon.down = true;
    daemon.cut();
    await clock.advance(10 * 60_000);
    expect(kinds(told)).toEqual(["connected", "lost"]);
    watcher.stop();
    daemon.down = false;
    await clock.advance(10 * 60_000);
    expect(kinds(told)).toEqual(["connected", "lost"]);
  });
});
