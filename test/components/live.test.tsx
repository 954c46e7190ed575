import { describe, expect, it } from "vitest";
import { exampleHistory } from "./example.ts";
import { message, NOW, outline, reasoning, session, tool } from "./fake-ports.ts";
import { openScreen } from "./open-screen.tsx";

describe("what happens outside", () => {
  it("appears in the events pane as it comes, newest first, with the session's title", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: exampleHistory });
    await type("e");
    expect(frame()).toContain("Nothing has happened yet.");
    history.notify({ at: NOW, kind: "pruned", sessionID: "ses_login", messageID: "m", byUs: false });
    history.notify({ at: NOW, kind: "pruned", sessionID: "ses_gone", messageID: "m", byUs: true });
    history.notify({ at: NOW, kind: "lost", problem: "the stream ended" });
    await drawn();
    const rows = frame().split("\n").slice(2, 5);
    expect(rows[0]).toContain("connection lost: the stream ended");
    expect(rows[1]).toContain("pruned here: a message of (a session that is not in the list)");
    expect(rows[2]).toContain("pruned elsewhere: a message of Fix the login form");
  });

  it("can be followed from the event to its message", async () => {
    const { frame, type, history } = await openScreen({ prepare: exampleHistory });
    history.notify({ at: NOW, kind: "pruned", sessionID: "ses_migrate", messageID: "msg_3", byUs: false });
    await type("e", "enter");
    expect(frame()).toContain("Parts of Migrate");
    expect(frame()).toMatch(/▸ +message 3/);
  });

  it("keeps the last thousand events", async () => {
    const { history, app } = await openScreen({ prepare: exampleHistory });
    for (let count = 0; count < 1_100; count += 1) history.notify({ at: count, kind: "connected" });
    const { events } = app.store.getState().rows;
    expect(events).toHaveLength(1_000);
    expect(events[0]?.notice.at).toBe(1_099);
  });

  it("is marked on the message that changed", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: exampleHistory });
    await type("enter");
    history.removeParts("ses_migrate", "msg_1", [1]);
    await drawn();
    expect(frame()).toMatch(/\* message 1/);
    expect(frame()).not.toMatch(/\* message 2/);
  });

  it("does not move the row that the user is on", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: exampleHistory, rows: 12 });
    await type("enter", "G", "k", "k");
    const row = () =>
      frame()
        .split("\n")
        .findIndex((line) => line.startsWith("▸"));
    const before = row();
    expect(frame()).toMatch(/▸ +\[ \] webfetch/);
    const messages = history.snapshot().outlines.get("ses_migrate")?.messages ?? [];
    history.putOutline(
      outline("ses_migrate", [message("msg_0", [reasoning(0), tool(1), tool(2)]), ...messages]),
    );
    await drawn();
    expect(row()).toBe(before);
    expect(frame()).toMatch(/▸ +\[ \] webfetch/);
  });

  it.each([
    [{ phase: "live", attempt: 0 }, "│ live │"],
    [{ phase: "connecting", attempt: 0 }, "│ connecting │"],
    [{ phase: "lost", attempt: 1, problem: "the stream ended" }, "│ reconnecting │"],
    [{ phase: "reconnecting", attempt: 2, retryAt: NOW + 2_500 }, "│ reconnecting, next try in 3 sec │"],
    [{ phase: "reconciling", attempt: 0 }, "│ reconciling │"],
  ] as const)("shows the connection: %j", async (connection, shown) => {
    const { frame } = await openScreen({ prepare: ({ history }) => history.edit({ connection }) });
    expect(frame()).toContain(shown);
  });

  it.each([
    [{ state: "kept" }, "cache: kept"],
    [{ state: "set_aside", problem: "damaged" }, "cache: set aside"],
    [{ state: "off" }, "cache: off"],
  ] as const)("shows the cache: %j", async (cache, shown) => {
    const { frame } = await openScreen({ prepare: ({ history }) => history.edit({ cache }) });
    expect(frame()).toContain(shown);
  });

  it("counts what is read and what is not confirmed yet", async () => {
    const { frame, history, drawn } = await openScreen({
      prepare: (ports) =>
        ports.history.putSession(session("a", { refreshing: true }), session("b", { confirmed: false })),
    });
    expect(frame()).toContain("reading 1 session");
    history.putSession(session("a"));
    await drawn();
    expect(frame()).toContain("1 session unconfirmed");
  });

  it.each([
    [{ state: "ready", provider: "published" }, "plugin: ready (published)"],
    [{ state: "failed", problem: "it threw" }, "plugin: failed"],
    [{ state: "missing" }, "plugin: missing, i installs it"],
  ] as const)("shows the plugin: %j", async (state, shown) => {
    const { frame } = await openScreen({
      prepare({ plugin }) {
        plugin.state = state;
      },
    });
    expect(frame()).toContain(shown);
  });

  it("asks for the plugin again after a reconnect", async () => {
    const { frame, history, plugin, drawn } = await openScreen({
      prepare(ports) {
        ports.plugin.state = { state: "missing" };
      },
    });
    plugin.state = { state: "ready", provider: "ours" };
    history.notify({ at: NOW, kind: "connected" });
    await drawn();
    expect(frame()).toContain("plugin: ready");
  });

  it("says why an install failed", async () => {
    const { frame, type } = await openScreen({
      prepare({ plugin }) {
        plugin.state = { state: "missing" };
        plugin.afterInstall = { state: "failed", problem: "The plugins folder cannot be written." };
      },
    });
    await type("i");
    expect(frame()).toContain("The plugin could not be installed: The plugins folder cannot be written.");
  });

  it("says why parts could not be read, and what there is not", async () => {
    const { frame, type, history, drawn } = await openScreen({
      prepare: (ports) => ports.history.putSession(session("ses_1")),
    });
    await type("enter");
    expect(frame()).toContain("Reading the parts…");
    history.putOutline(outline("ses_1", [], { problem: "The session was deleted." }));
    await drawn();
    expect(frame()).toContain("The session was deleted.");
    history.putOutline(outline("ses_1", []));
    await drawn();
    expect(frame()).toContain("There is nothing to prune here.");
    history.putOutline(outline("ses_1", [message("m", [tool(0)])]));
    await type("r");
    expect(frame()).toContain("x shows all technical parts");
  });

  it("marks a message that is being read again", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: exampleHistory });
    await type("enter");
    const before = history.snapshot().outlines.get("ses_migrate");
    if (before !== undefined) history.putOutline({ ...before, refreshingMessages: new Set(["msg_2"]) });
    await drawn();
    expect(frame()).toMatch(/message 2, .* refreshing/);
    expect(frame()).not.toMatch(/message 1, .* refreshing/);
  });
});

describe("what is wrong", () => {
  const wrong = (more: object) => ({ connection: { phase: "live", attempt: 0 }, ...more }) as const;

  it.each([
    [wrong({ connection: { phase: "lost", attempt: 1, problem: "the stream ended" } }), "the stream ended"],
    [wrong({ cache: { state: "set_aside", problem: "cache.db is damaged" } }), "cache.db is damaged"],
  ])("is said in its own line: %j", async (snapshot, sentence) => {
    const { frame } = await openScreen({ prepare: ({ history }) => history.edit(snapshot) });
    expect(frame().split("\n").at(-3)).toBe(sentence);
  });

  it("is said of the plugin too", async () => {
    const { frame } = await openScreen({
      prepare({ plugin }) {
        plugin.state = { state: "failed", problem: "It threw while it was set up." };
      },
    });
    expect(frame().split("\n").at(-3)).toBe("It threw while it was set up.");
  });
});

describe("an own prune of a session that is not open", () => {
  it("leaves the selection without a word of others", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, rows: 24 });
    await type("enter", "A", "escape", "p", "y", "escape");
    expect(frame()).toContain("Sessions 7");
    expect(frame()).not.toContain("Selected:");
    expect(frame()).not.toContain("somebody else");
  });
});
