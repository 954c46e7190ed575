import { describe, expect, it } from "vitest";
import { Coalescer, GATHER, MAX_RETRIES, REST_FACTOR } from "../../../src/plugin/tui/coalescer.ts";
import { TestClock } from "../../sync/support/test-clock.ts";

function started(options: { readonly takes?: number; readonly mayWork?: () => boolean } = {}) {
  const clock = new TestClock();
  const begun: { readonly sessionID: string; readonly at: number }[] = [];
  const origin = clock.now();
  const atOnce = new Map<string, number>();
  let most = 0;
  let failing = false;
  const coalescer = new Coalescer({
    clock,
    mayWork: options.mayWork ?? (() => true),
    async work(sessionID) {
      begun.push({ sessionID, at: clock.now() - origin });
      const now = (atOnce.get(sessionID) ?? 0) + 1;
      atOnce.set(sessionID, now);
      most = Math.max(most, now);
      if (options.takes) await clock.sleep(options.takes);
      atOnce.set(sessionID, now - 1);
      if (failing) throw new Error("failed");
    },
  });
  return {
    clock,
    coalescer,
    begun,
    most: () => most,
    fail: (now: boolean) => {
      failing = now;
    },
  };
}

describe("the coalescer", () => {
  it("does the work once for a burst of requests", async () => {
    const { clock, coalescer, begun } = started();
    for (let index = 0; index < 1_000; index += 1) coalescer.request("ses_1");
    await clock.advance(60_000);
    expect(begun).toEqual([{ sessionID: "ses_1", at: GATHER }]);
  });

  it("does not put the work off for as long as requests keep coming", async () => {
    const { clock, coalescer, begun } = started();
    for (let index = 0; index < 100; index += 1) {
      coalescer.request("ses_1");
      await clock.advance(GATHER / 10);
    }
    expect(begun.length).toBeGreaterThan(5);
    expect(begun.length).toBeLessThan(11);
  });

  it("works on a session one at a time, and once more for all that was requested meanwhile", async () => {
    const { clock, coalescer, begun, most } = started({ takes: 1_000 });
    coalescer.request("ses_1");
    await clock.advance(GATHER);
    for (let index = 0; index < 50; index += 1) {
      coalescer.request("ses_1");
      await clock.advance(10);
    }
    expect(begun).toHaveLength(1);
    await clock.advance(60_000);
    expect(begun).toHaveLength(2);
    expect(most()).toBe(1);
  });

  it("rests after work that took long", async () => {
    const { clock, coalescer, begun } = started({ takes: 10_000 });
    coalescer.request("ses_1");
    await clock.advance(GATHER + 5_000);
    coalescer.request("ses_1");
    await clock.advance(600_000);
    expect(begun.map(({ at }) => at)).toEqual([GATHER, GATHER + 10_000 + REST_FACTOR * 10_000]);
  });

  it("keeps sessions apart", async () => {
    const { clock, coalescer, begun } = started({ takes: 1_000 });
    coalescer.request("ses_1");
    coalescer.request("ses_2");
    await clock.advance(GATHER);
    expect(begun.map(({ sessionID }) => sessionID)).toEqual(["ses_1", "ses_2"]);
  });

  it("waits while the work may not be done", async () => {
    let allowed = false;
    const { clock, coalescer, begun } = started({ mayWork: () => allowed });
    coalescer.request("ses_1");
    await clock.advance(60_000);
    expect(begun).toEqual([]);
    allowed = true;
    await clock.advance(60_000);
    expect(begun).toHaveLength(1);
  });

  it("tries again after a failure, ever later, and gives up until it is asked again", async () => {
    const { clock, coalescer, begun, fail } = started();
    fail(true);
    coalescer.request("ses_1");
    await clock.advance(600_000);
    expect(begun).toHaveLength(1 + MAX_RETRIES);
    const pauses = begun.slice(1).map(({ at }, index) => at - (begun[index]?.at ?? 0));
    expect(pauses).toEqual([2, 4, 8, 16].map((factor) => factor * GATHER));
    coalescer.request("ses_1");
    await clock.advance(600_000);
    expect(begun).toHaveLength(2 * (1 + MAX_RETRIES));
  });

  it("forgets failures as soon as the work is done", async () => {
    const { clock, coalescer, begun, fail } = started();
    for (let round = 1; round <= 3; round += 1) {
      fail(true);
      coalescer.request("ses_1");
      await clock.advance(GATHER * 2 ** 3);
      fail(false);
      await clock.advance(600_000);
      expect(begun).toHaveLength(round * 4);
    }
  });

  it("survives a condition that fails", async () => {
    let broken = true;
    const { clock, coalescer, begun } = started({
      mayWork() {
        if (broken) throw new Error("no such session");
        return true;
      },
    });
    coalescer.request("ses_1");
    await clock.advance(GATHER);
    broken = false;
    await clock.advance(60_000);
    expect(begun).toHaveLength(1);
  });

  it("starts nothing after it was stopped", async () => {
    const { clock, coalescer, begun } = started({ takes: 1_000 });
    coalescer.request("ses_1");
    coalescer.request("ses_2");
    await clock.advance(GATHER);
    coalescer.request("ses_1");
    coalescer.request("ses_3");
    coalescer.stop();
    coalescer.request("ses_2");
    await clock.advance(600_000);
    expect(begun.map(({ sessionID }) => sessionID)).toEqual(["ses_1", "ses_2"]);
  });
});
