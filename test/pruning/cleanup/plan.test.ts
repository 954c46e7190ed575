import { describe, expect, it } from "vitest";
import type { PlanProgress } from "../../../src/state/ports.ts";
import { cleaning } from "./support/cleanup.ts";
import { FakeDaemon, message, messages } from "./support/fake-daemon.ts";

/** A session in which everything occurs that is not asked for. */
function mixed(daemon: FakeDaemon): void {
  const open = message("msg_open", 1, { completed: undefined });
  const running = message("msg_running");
  const stranger = message("msg_stranger");
  daemon.add("ses_mixed", [
    message("msg_1", 2),
    open,
    {
      ...running,
      content: [...running.content, { type: "tool", id: "t", name: "n", state: { status: "running" } }],
    },
    { ...stranger, content: [...stranger.content, { type: "picture" }] },
    { ...message("msg_text"), content: [{ type: "text", text: "words" }] },
    message("msg_2", 0),
  ]);
}

const READERS = [
  ["through the plugin", ["prune", "pruneBatch", "pruneBulk", "history", "outline"]],
  ["from content, with candidates", ["prune", "pruneBatch", "history"]],
  ["from content, with indexes", ["prune"]],
] as const;

describe.each(READERS)("a plan read %s", (_, methods) => {
  it("says per session what is eligible and what is skipped, and deletes nothing", async () => {
    const daemon = new FakeDaemon();
    daemon.methods = new Set(methods);
    mixed(daemon);
    daemon.add("ses_plain", messages(5));
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_plain", "ses_mixed"]);

    expect(plan.sessions.map(({ sessionID }) => sessionID)).toEqual(["ses_plain", "ses_mixed"]);
    const [plain, session] = plan.sessions;
    expect(plain).toMatchObject({ eligible: { messages: 5, parts: 10 }, skipped: [] });
    expect(session).toMatchObject({ eligible: { messages: 2, parts: 4 } });
    expect(session?.skipped).toMatchObject([
      { reason: "incomplete", messages: 1, parts: 2 },
      { reason: "unsettled_tool", messages: 1, parts: 3 },
      { reason: "unknown_part", messages: 1, parts: 2 },
    ]);
    expect(plan).toMatchObject({ messages: 7, parts: 14 });
    expect(plan.bytes).toBe((plain?.eligible.bytes ?? 0) + (session?.eligible.bytes ?? 0));
    expect(plan.bytes).toBeGreaterThan(14 * 20);
    expect(daemon.requests).toEqual([]);
  });

  it("is worked through with exactly as many requests as it says", async () => {
    const daemon = new FakeDaemon();
    daemon.methods = new Set(methods);
    daemon.add("ses_1", messages(150));
    daemon.add("ses_2", messages(3, "other"));
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1", "ses_2"]);
    const report = await cleanup.run(plan, {});
    expect(report).toMatchObject({ prunedMessages: 153, prunedParts: 306, refused: [], stopped: false });
    expect(report.prunedBytes).toBe(plan.bytes);
    expect(daemon.requests).toHaveLength(plan.requests);
    expect(daemon.deleted).toHaveLength(306);
    expect(new Set(daemon.deleted).size).toBe(306);
    expect(daemon.left("ses_2")).toEqual({
      other_0000: ["text of other_0000"],
      other_0001: ["text of other_0001"],
      other_0002: ["text of other_0002"],
    });
  });
});

describe("a session that nothing can be pruned of now", () => {
  const refusalOf = async (prepare: (daemon: FakeDaemon) => void, sessionID = "ses_1") => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", messages(3));
    prepare(daemon);
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan([sessionID]);
    expect(plan).toMatchObject({ requests: 0, messages: 0, parts: 0, bytes: 0 });
    return plan.sessions[0]?.refused;
  };

  it("is refused while it runs, as the plugin says", async () => {
    const running = (daemon: FakeDaemon) => {
      daemon.session("ses_1").blocked = "maintenance_required";
    };
    expect(await refusalOf(running)).toBe("maintenance_required");
  });

  it("is refused while it runs, where the plugin cannot say so", async () => {
    const running = (daemon: FakeDaemon) => {
      daemon.methods = new Set(["prune"]);
      daemon.active.add("ses_1");
    };
    expect(await refusalOf(running)).toBe("maintenance_required");
  });

  it("is refused while a revert is staged, where the plugin cannot say so", async () => {
    const reverted = (daemon: FakeDaemon) => {
      daemon.methods = new Set(["prune"]);
      daemon.session("ses_1").reverted = true;
    };
    expect(await refusalOf(reverted)).toBe("maintenance_required");
  });

  it("is refused when it is gone", async () => {
    expect(await refusalOf(() => {}, "ses_gone")).toBe("vanished");
  });

  it("is refused when the daemon cannot read it, and the others are planned", async () => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", messages(3));
    daemon.add("ses_broken", messages(3));
    daemon.broken.add("ses_broken");
    const plan = await cleaning(daemon).cleanup.plan(["ses_broken", "ses_1"]);
    expect(plan.sessions).toMatchObject([{ refused: "unavailable" }, { eligible: { messages: 3 } }]);
  });

  it("is refused when there is no plugin", async () => {
    expect(await refusalOf((daemon) => daemon.methods.clear())).toBe("unavailable");
  });
});

describe("planning", () => {
  it("reads a message again that changed between outline and candidates", async () => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", [message("msg_1", 3), message("msg_2", 1)]);
    daemon.beforeHistory = () => {
      daemon.session("ses_1").messages = [message("msg_1", 1), message("msg_2", 1)];
    };
    const { cleanup } = cleaning(daemon);
    const plan = await cleanup.plan(["ses_1"]);
    expect(plan.sessions).toMatchObject([{ eligible: { messages: 2, parts: 4 }, skipped: [] }]);
    expect(await cleanup.run(plan, {})).toMatchObject({ prunedMessages: 2, prunedParts: 4, refused: [] });
  });

  it("tells how many sessions are read", async () => {
    const daemon = new FakeDaemon();
    for (const id of ["ses_1", "ses_2", "ses_3"]) daemon.add(id, messages(2));
    const seen: PlanProgress[] = [];
    await cleaning(daemon).cleanup.plan(["ses_1", "ses_2", "ses_3"], undefined, (step) => seen.push(step));
    expect(seen).toEqual([0, 1, 2, 3].map((done) => ({ done, total: 3 })));
  });

  it("plans a session once that is named twice", async () => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", messages(2));
    const plan = await cleaning(daemon).cleanup.plan(["ses_1", "ses_1"]);
    expect(plan).toMatchObject({ messages: 2, requests: 1 });
    expect(plan.sessions).toHaveLength(1);
  });

  it("fails as a whole when the server is not there", async () => {
    const daemon = new FakeDaemon();
    daemon.add("ses_1", messages(2));
    daemon.isUnreachable = true;
    await expect(cleaning(daemon).cleanup.plan(["ses_1"])).rejects.toThrow("could not be reached");
  });
});
