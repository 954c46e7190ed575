import { describe, expect, it } from "vitest";
import { exampleHistory } from "./example.ts";
import { message, NOW, outline, session, tool } from "./fake-ports.ts";
import { FakeSearch, hit } from "./fake-search.ts";
import { type OpenedScreen, openScreen, type ScreenOptions } from "./open-screen.tsx";

interface Opened extends OpenedScreen {
  readonly search: FakeSearch;
  /** Lets the search find something, and waits until it is drawn. */
  readonly come: (...steps: Parameters<FakeSearch["come"]>) => Promise<void>;
}

async function open(options: ScreenOptions = {}): Promise<Opened> {
  const search = new FakeSearch();
  const screen = await openScreen({ prepare: exampleHistory, rows: 24, columns: 80, search, ...options });
  return {
    ...screen,
    search,
    async come(...steps) {
      search.come(...steps);
      await screen.drawn();
    },
  };
}

const orders = hit("ses_migrate", "msg_1", "select * from ORDERS where id = 1");

describe("searching content", () => {
  it("asks for a text with Ctrl-F and searches all sessions for it", async () => {
    const { frame, type, search } = await open();
    await type("ctrl-f");
    expect(frame()).toContain("Search the content of all sessions:");
    await type("orders", "enter");
    expect(search.asked).toEqual([{ text: "orders" }]);
    expect(frame()).toContain("Search “orders” 0 found in all sessions");
  });

  it("searches the open session alone from its parts", async () => {
    const { frame, type, search } = await open();
    await type("enter", "ctrl-f");
    expect(frame()).toContain("Search the content of this session:");
    await type("orders", "enter");
    expect(search.asked).toEqual([{ text: "orders", sessionID: "ses_migrate" }]);
    expect(frame()).toContain("Search “orders” 0 found Migrate the orders table");
  });

  it("looks for nothing without a text", async () => {
    const { frame, type, search } = await open();
    await type("ctrl-f", " ", "enter");
    expect(frame()).toContain("Type the text to look for.");
    expect(search.asked).toEqual([]);
    await type("escape");
    expect(frame()).toContain("Sessions 7");
  });

  it("shows what is found as it comes: session, time and the text between marks", async () => {
    const { frame, type, come } = await open({ columns: 100 });
    await type("ctrl-f", "orders", "enter");
    await come({ hits: [orders], scanned: 32 });
    expect(frame()).toMatch(/Migrate the orders tabl… +2:10 PM select \* from ›ORDERS‹ where id = 1/);
    expect(frame()).toContain("1 found");
    expect(frame()).toContain("Searching, 32 messages, through the plugin");
    await come({ hits: [hit("ses_login", "msg_9", "no such place")], scanned: 8, skipped: 2 });
    expect(frame()).toMatch(/Fix the login form +2:10 PM no such place/);
    await come({ scanned: 5, through: "native" }, "end");
    expect(frame()).toContain("Done, 45 messages, 2 skipped, through the plugin, through the API");
  });

  it("keeps the text in sight however much comes before it, and explains the row at length", async () => {
    const excerpt = `${"before ".repeat(11)}lamp${" after".repeat(30)}`;
    const { frame, type, come } = await open();
    await type("ctrl-f", "lamp", "enter");
    await come({ hits: [hit("ses_migrate", "msg_1", excerpt)] });
    const lines = frame().split("\n");
    expect(lines[2]).toContain("›lamp‹ after");
    expect(lines.slice(3).join("\n")).toContain("tool: before before before");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("shows nothing of an excerpt that a terminal could act on", async () => {
    const { frame, type, come } = await open();
    await type("ctrl-f", "lamp", "enter");
    await come({ hits: [hit("ses_migrate", "msg_1", "\x1b[2Jthe \x1b]0;owned\x07lamp\u202e is on")] });
    expect(frame()).not.toMatch(/\x1b\[2J|\x1b\]|\u202e/);
    expect(frame()).toContain("›lamp‹");
  });

  it("says through whom it searches where the published plugin serves it", async () => {
    const { frame, type, come } = await open({
      prepare(ports) {
        exampleHistory(ports);
        ports.plugin.state = { state: "ready", provider: "published" };
      },
    });
    await type("ctrl-f", "lamp", "enter");
    await come({ scanned: 3 }, "end");
    expect(frame()).toContain("Done, 3 messages, through the published plugin");
    expect(frame()).toContain("No message that was searched holds this text.");
  });

  it("stops with Esc and keeps what was found; another Esc leaves", async () => {
    const { frame, type, come, search } = await open();
    await type("ctrl-f", "orders", "enter");
    await come({ hits: [orders], scanned: 32 });
    expect(frame()).toContain("Esc stop");
    expect(frame()).not.toContain("Esc back");
    await type("escape");
    expect(frame()).toContain("Stopped, 32 messages");
    expect(frame()).toContain("›ORDERS‹");
    expect(search.ended).toBe(1);
    await come({ hits: [hit("ses_login", "msg_9", "late orders")] });
    expect(frame()).toContain("1 found");
    await type("escape");
    expect(frame()).toContain("Sessions 7");
  });

  it("says why it broke off", async () => {
    const { frame, type, come } = await open();
    await type("ctrl-f", "orders", "enter");
    await come({ hits: [orders], scanned: 32 }, new Error("connection refused"));
    expect(frame()).toContain("The search broke off: connection refused");
    expect(frame()).toContain("›ORDERS‹");
  });

  it("stops where there is more than can be looked at", async () => {
    const { frame, type, come, search } = await open({ columns: 120 });
    await type("ctrl-f", "orders", "enter");
    const many = (from: number) =>
      Array.from({ length: 600 }, (_, n) => hit("ses_build", `msg_${from + n}`, "orders"));
    await come({ hits: many(0) }, { hits: many(600) });
    expect(frame()).toContain("1,000 found");
    expect(frame()).toContain("Stopped, since there is more than is shown");
    expect(search.ended).toBe(1);
  });

  it("opens the message in its session's parts with Enter, and comes back to what was found", async () => {
    const { frame, type, come, app } = await open();
    await type("ctrl-f", "build", "enter");
    await come({ hits: [hit("ses_login", "msg_9", "build"), hit("ses_migrate", "msg_2", "npm run build")] });
    await type("j", "enter");
    expect(frame()).toContain("Parts of Migrate the orders table");
    expect(
      frame()
        .split("\n")
        .find((line) => line.startsWith("▸")),
    ).toMatch(/message 2/);
    await type("escape");
    expect(frame()).toContain("Search “build” 2 found");
    expect(app.store.getState().lists.found.cursor).toBe(1);
  });

  it("opens a message that the filter hid", async () => {
    const { frame, type, come } = await open();
    await type("enter", "/", "grep", "enter", "ctrl-f", "build", "enter");
    await come({ hits: [hit("ses_migrate", "msg_2", "npm run build")] }, "end");
    await type("enter");
    expect(
      frame()
        .split("\n")
        .find((line) => line.startsWith("▸")),
    ).toMatch(/message 2/);
    await type("escape");
    expect(frame()).toContain("Sessions 7");
  });

  it("says so where the message has nothing technical to show", async () => {
    const { frame, type, come } = await open();
    await type("ctrl-f", "repair", "enter");
    await come({ hits: [hit("ses_migrate", "msg_0", "Repair it.", { role: "user", kind: "text" })] });
    expect(frame()).toContain("user: ›Repair‹ it.");
    await type("enter");
    expect(frame()).toContain("That message has no technical parts, so it is not in this list.");
  });

  it("lets go of an excerpt when its message is pruned, and keeps that of a text", async () => {
    const { frame, type, come, history, drawn } = await open();
    await type("ctrl-f", "orders", "enter");
    await come({ hits: [orders, hit("ses_migrate", "msg_2", "kept orders", { kind: "text" })] });
    for (const messageID of ["msg_1", "msg_2"]) {
      history.notify({ at: NOW, kind: "pruned", sessionID: "ses_migrate", messageID, byUs: false });
    }
    await drawn();
    expect(frame()).not.toContain("select * from");
    expect(frame()).toContain("pruned since");
    expect(frame()).toContain("kept ›orders‹");
  });

  it("begins anew with the text that was there", async () => {
    const { type, search } = await open();
    await type("ctrl-f", "order", "enter", "ctrl-f", "s", "enter");
    expect(search.asked).toEqual([{ text: "order" }, { text: "orders" }]);
    expect(search.ended).toBe(1);
  });

  it("ends with the app", async () => {
    const { type, search, app, drawn } = await open();
    await type("ctrl-f", "orders", "enter");
    app.close();
    await drawn();
    expect(search.ended).toBe(1);
  });

  it("is named in the help, and neither there nor offered where it is not available", async () => {
    const { frame, type } = await open({ rows: 60 });
    expect(frame()).toContain("Ctrl-F search text");
    await type("?");
    expect(frame()).toContain("Searches the content of all sessions, or of the open one.");
    const without = await openScreen({ prepare: exampleHistory, rows: 60 });
    await without.type("ctrl-f");
    expect(without.frame()).toContain("Sessions 7");
    await without.type("?");
    expect(without.frame()).not.toContain("Searches the content of all sessions");
  });

  it("reads a row in one piece in the linear view", async () => {
    const { frame, type, come } = await open({ isLinear: true });
    await type("ctrl-f", "orders", "enter");
    await come({ hits: [orders] });
    expect(frame()).toContain(
      "Row 1 of 1, Migrate the orders table to the new schema, 2:10 PM\ntool: select * from ›ORDERS‹ where id = 1\n",
    );
  });

  it("fits 60 columns", async () => {
    const { frame, type, come, history } = await open({ columns: 60, rows: 15 });
    history.putSession(session("ses_wide", { title: "漢字".repeat(20) }));
    history.putOutline(outline("ses_wide", [message("msg_w", [tool(0)])]));
    await type("ctrl-f", "漢字", "enter");
    await come({ hits: [hit("ses_wide", "msg_w", "漢字".repeat(80))], scanned: 12_345, skipped: 10 });
    await expect(`${frame()}\n`).toMatchFileSnapshot("golden/found-60x15.txt");
  });
});
