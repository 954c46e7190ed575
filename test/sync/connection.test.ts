import { describe, expect, it } from "vitest";
import { backoffDelay, RECONNECT_BACKOFF } from "../../src/sync/backoff.ts";
import {
  CONNECTING,
  type Connection,
  type ConnectionEvent,
  connectionAfter,
  connectionShown,
  STEADY_AFTER,
} from "../../src/sync/connection.ts";

const opened: ConnectionEvent = { type: "opened" };
const retry: ConnectionEvent = { type: "retry" };
const reconciled = (at = 0): ConnectionEvent => ({ type: "reconciled", at });
const ended = (at = 0): ConnectionEvent => ({
  type: "ended",
  at,
  problem: "cut",
  delay: (failures) => failures * 100,
});

function stateAfter(...events: readonly ConnectionEvent[]): Connection {
  return events.reduce(connectionAfter, CONNECTING);
}

describe("the connection", () => {
  it("is live only after everything that may have been missed is known", () => {
    expect(stateAfter(opened).phase).toBe("reconciling");
    expect(stateAfter(opened, reconciled()).phase).toBe("live");
  });

  it("says why it is lost, and when it tries again", () => {
    expect(stateAfter(opened, reconciled(), ended(20))).toEqual({
      phase: "lost",
      attempt: 1,
      problem: "cut",
      retryAt: 120,
    });
  });

  it("goes through reconnecting and reconciling back to live", () => {
    const lost = [opened, reconciled(), ended()] as const;
    expect(stateAfter(...lost, retry)).toEqual({ phase: "reconnecting", attempt: 1, problem: "cut" });
    expect(stateAfter(...lost, retry, opened)).toEqual({ phase: "reconciling", attempt: 1 });
    expect(connectionShown(stateAfter(...lost, retry, opened, reconciled()))).toEqual({
      phase: "live",
      attempt: 0,
    });
  });

  it("counts attempts that fail in a row, also those that fail while reconciling", () => {
    const state = stateAfter(ended(), retry, ended(), retry, opened, ended());
    expect(state).toMatchObject({ phase: "lost", attempt: 3, retryAt: 300 });
  });

  it("keeps counting when it was live only briefly, and begins anew after a steady time", () => {
    const flapping = stateAfter(ended(), retry, opened, reconciled(1_000), ended(1_000 + STEADY_AFTER - 1));
    expect(flapping.attempt).toBe(2);
    const steady = stateAfter(ended(), retry, opened, reconciled(1_000), ended(1_000 + STEADY_AFTER));
    expect(steady.attempt).toBe(1);
  });

  it.each([
    ["a reconcile that ends after the loss", [opened, ended()], reconciled()],
    ["a second end", [ended()], ended(99)],
    ["a retry while live", [opened, reconciled()], retry],
    ["a stream that opens twice", [opened, reconciled()], opened],
  ] as const)("ignores %s", (_what, before, event) => {
    const state = stateAfter(...before);
    expect(connectionAfter(state, event)).toBe(state);
  });
});

describe("the back-off", () => {
  it("doubles up to its longest, with the upper half left to chance", () => {
    const least = [1, 2, 3, 4].map((failures) => backoffDelay(RECONNECT_BACKOFF, failures, 0));
    expect(least).toEqual([125, 250, 500, 1_000]);
    expect(backoffDelay(RECONNECT_BACKOFF, 1, 0.999)).toBe(250);
    expect(backoffDelay(RECONNECT_BACKOFF, 1_000, 0.999)).toBeLessThanOrEqual(RECONNECT_BACKOFF.longest);
    expect(backoffDelay(RECONNECT_BACKOFF, 1_000, 0)).toBe(RECONNECT_BACKOFF.longest / 2);
  });
});
