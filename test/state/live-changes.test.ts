import { describe, expect, it } from "vitest";
import type { HistorySnapshot, SessionSummary } from "../../src/state/index.ts";
import { fadeMarks, MARKED_FOR, markChanges } from "../../src/state/live-changes.ts";
import { FakeHistory, message, NOW, outline, session, tool } from "../components/fake-ports.ts";

function snapshotOf(...sessions: SessionSummary[]): HistorySnapshot {
  const history = new FakeHistory();
  history.putSession(...sessions);
  return history.snapshot();
}

const marksBetween = (before: HistorySnapshot, after: HistorySnapshot, open?: string) =>
  [...markChanges(new Map(), before, after, open, NOW).keys()].sort();

describe("marks of change", () => {
  it("stand on sessions that are new, or that the daemon changed", () => {
    const same = session("same");
    const before = snapshotOf(
      same,
      session("renamed"),
      session("ran"),
      session("pruned", { technical: { parts: 2, bytes: 9 } }),
    );
    const after = snapshotOf(
      same,
      session("renamed", { title: "Other" }),
      session("ran", { activity: "running" }),
      session("pruned", { technical: { parts: 1, bytes: 5 } }),
      session("created"),
    );
    expect(marksBetween(before, after)).toEqual(["created", "pruned", "ran", "renamed"]);
  });

  it("do not stand on what is only known now, or read again without a difference", () => {
    const before = snapshotOf(session("a"), session("b", { confirmed: false, refreshing: true }));
    const after = snapshotOf(session("a", { technical: { parts: 1, bytes: 1 }, messages: 3 }), session("b"));
    expect(marksBetween(before, after)).toEqual([]);
  });

  it("do not stand on anything while the list is read for the first time", () => {
    const before = { ...snapshotOf(), listed: false };
    expect(marksBetween(before, snapshotOf(session("a")))).toEqual([]);
  });

  it("stand on messages of the open session that changed", () => {
    const same = message("same", [tool(0)]);
    const before = {
      ...snapshotOf(),
      outlines: new Map([
        ["s", outline("s", [same, message("pruned", [tool(0), tool(1)]), message("again", [tool(0)])])],
      ]),
    };
    const after = {
      ...snapshotOf(),
      outlines: new Map([
        [
          "s",
          outline("s", [
            same,
            message("pruned", [tool(0)]),
            message("again", [tool(0)]),
            message("new", [tool(0)]),
          ]),
        ],
      ]),
    };
    expect(marksBetween(before, after, "s")).toEqual(["new", "pruned"]);
    expect(marksBetween(before, after, "other")).toEqual([]);
  });

  it("fade, and stay the same object while none has", () => {
    const marks = new Map([
      ["old", NOW - MARKED_FOR],
      ["new", NOW - 1],
    ]);
    const faded = fadeMarks(marks, NOW);
    expect([...faded.keys()]).toEqual(["new"]);
    expect(fadeMarks(faded, NOW)).toBe(faded);
  });
});
