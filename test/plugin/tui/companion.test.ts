import { describe, expect, it } from "vitest";
import { PLUGIN_ID } from "../../../src/contract/index.ts";
import { companion, type ScreenHost } from "../../../src/plugin/tui/index.ts";
import entry from "../../../src/plugin/tui.ts";
import { TestClock } from "../../sync/support/test-clock.ts";
import { FakeScreen } from "./support/fake-screen.ts";

const SETTLED = 60_000;

/** The companion on a screen that shows `ses_shown`; what it reads for a start is over. */
async function opened() {
  const clock = new TestClock();
  const screen = new FakeScreen();
  screen.hold("ses_shown", ["one", "two"]);
  screen.route = { type: "session", sessionID: "ses_shown" };
  const close = companion(screen, clock);
  await clock.advance(SETTLED);
  screen.reads.length = 0;
  return { clock, screen, close };
}

describe("the companion in OpenCode's own screen", () => {
  it("shows what the history holds after a pruned event", async () => {
    const { clock, screen } = await opened();
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one", "two, pruned"]);
    expect(screen.reads).toEqual(["ses_shown"]);
  });

  it("reads once for a burst, and never twice at once, whatever comes meanwhile", async () => {
    const { clock, screen } = await opened();
    screen.delay = () => clock.sleep(400);
    for (let index = 0; index < 200; index += 1) {
      screen.prune("ses_shown", `two${"'".repeat(index)}`, `two${"'".repeat(index + 1)}`);
      screen.prune("ses_shown", "two", "two'");
      await clock.advance(5);
    }
    screen.prune("ses_shown", "one", "one, pruned");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(screen.history.get("ses_shown"));
    expect(screen.mostReadsAtOnce).toBe(1);
    expect(screen.reads.length).toBeLessThan(5);
  });

  it("does not take the result of a read that began before the event for the truth", async () => {
    const { clock, screen } = await opened();
    screen.delay = () => clock.sleep(1_000);
    screen.prune("ses_shown", "one", "one, pruned");
    await clock.advance(500);
    expect(screen.reads).toHaveLength(1);
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one, pruned", "two, pruned"]);
  });

  it("leaves a session alone that nobody holds, so that opening it reads afresh", async () => {
    const { clock, screen } = await opened();
    screen.hold("ses_closed", ["old"]);
    screen.held.set("ses_closed", []);
    screen.prune("ses_closed", "old", "old, pruned");
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual([]);
    await screen.data.session.message.sync("ses_closed");
    expect(screen.held.get("ses_closed")).toEqual(["old, pruned"]);
  });

  it("does not disturb a session whose older messages are pruned, but reads them when they are asked for", async () => {
    const { clock, screen } = await opened();
    screen.hold("ses_deep", ["one", "two", "three", "four"]);
    screen.prune("ses_deep", "one", "one, pruned");
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual([]);
    await screen.data.session.message.loadMore("ses_deep");
    expect(screen.held.get("ses_deep")).toEqual(["one, pruned", "two", "three", "four"]);
  });

  it("reads again when older messages that are on their way may be the pruned ones", async () => {
    const { clock, screen } = await opened();
    screen.hold("ses_deep", ["one", "two", "three", "four"]);
    screen.loadingOlder.add("ses_deep");
    screen.prune("ses_deep", "one", "one, pruned");
    screen.held.set("ses_deep", ["one", "two", "three", "four"]);
    screen.loadingOlder.delete("ses_deep");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_deep")).toEqual(["one, pruned", "two", "three", "four"]);
  });

  it("reads a session that is shown although nothing of it is loaded yet", async () => {
    const { clock, screen } = await opened();
    screen.history.set("ses_opening", ["here"]);
    screen.route = { type: "session", sessionID: "ses_opening" };
    screen.prune("ses_opening", "here", "here, pruned");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_opening")).toEqual(["here, pruned"]);
  });

  it("reconciles every session that is held after a new connection", async () => {
    const { clock, screen } = await opened();
    screen.hold("ses_beside", ["three"]);
    screen.held.set("ses_listed", []);
    screen.history.set("ses_shown", ["one, pruned", "two"]);
    screen.history.set("ses_beside", ["three, pruned"]);
    screen.emit("server.connected");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one, pruned", "two"]);
    expect(screen.held.get("ses_beside")).toEqual(["three, pruned"]);
    expect([...screen.reads].sort()).toEqual(["ses_beside", "ses_shown"]);
  });

  it("reconciles the shown session although the UI does not list it", async () => {
    const { clock, screen } = await opened();
    screen.history.set("ses_unlisted", ["here"]);
    screen.route = { type: "session", sessionID: "ses_unlisted" };
    screen.emit("server.connected");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_unlisted")).toEqual(["here"]);
  });

  it("makes good for what was pruned before it was loaded", async () => {
    const clock = new TestClock();
    const screen = new FakeScreen();
    screen.hold("ses_shown", ["one"]);
    screen.history.set("ses_shown", ["one, pruned"]);
    companion(screen, clock);
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one, pruned"]);
  });

  it("does not read under a running generation, but after it", async () => {
    const { clock, screen } = await opened();
    screen.running.add("ses_shown");
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual([]);
    screen.running.delete("ses_shown");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one", "two, pruned"]);
  });

  it("reads again after a generation that began during the read", async () => {
    const { clock, screen } = await opened();
    screen.delay = () => clock.sleep(1_000);
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(500);
    screen.running.add("ses_shown");
    screen.history.set("ses_shown", ["one", "two, pruned", "three"]);
    await clock.advance(SETTLED);
    expect(screen.reads).toHaveLength(1);
    screen.running.delete("ses_shown");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one", "two, pruned", "three"]);
  });

  it("waits for older messages that are on their way", async () => {
    const { clock, screen } = await opened();
    screen.loadingOlder.add("ses_shown");
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual([]);
    screen.loadingOlder.delete("ses_shown");
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual(["ses_shown"]);
  });

  it.each([
    { loaded: "some older messages", depth: 8, pages: 2 },
    { loaded: "all messages", depth: 12, pages: 1 },
  ])("keeps $loaded loaded that were loaded", async ({ depth, pages }) => {
    const { clock, screen } = await opened();
    const messages = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    screen.hold("ses_deep", messages);
    screen.held.set("ses_deep", messages.slice(-depth));
    screen.prune("ses_deep", "message 5", "message 5, pruned");
    await clock.advance(SETTLED);
    const held = screen.held.get("ses_deep") ?? [];
    expect(held.length).toBeGreaterThanOrEqual(depth);
    expect(held).toEqual(screen.history.get("ses_deep")?.slice(-held.length));
    expect(screen.loadsOfOlder).toBe(pages);
  });

  it("does not go on for older messages that do not come", async () => {
    const { clock, screen } = await opened();
    const messages = ["one", "two", "three", "four", "five", "six"];
    screen.hold("ses_deep", messages);
    screen.held.set("ses_deep", messages.slice(-5));
    screen.hasOlder = false;
    screen.prune("ses_deep", "six", "six, pruned");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_deep")).toEqual(["four", "five", "six, pruned"]);
    expect(screen.loadsOfOlder).toBe(1);
  });

  it("goes on when reading fails, and is right as soon as it succeeds", async () => {
    const { clock, screen } = await opened();
    screen.failing.add("ses_shown");
    screen.prune("ses_shown", "two", "two, pruned");
    await clock.advance(500);
    screen.failing.delete("ses_shown");
    await clock.advance(SETTLED);
    expect(screen.held.get("ses_shown")).toEqual(["one", "two, pruned"]);
  });

  it("listens no more and reads no more once it is closed", async () => {
    const { clock, screen, close } = await opened();
    screen.prune("ses_shown", "two", "two, pruned");
    close();
    await clock.advance(SETTLED);
    expect(screen.reads).toEqual([]);
    expect(screen.listeners.size).toBe(0);
  });

  const failure = () => {
    throw new Error("not today");
  };
  const withBroken = async (broken: (screen: FakeScreen) => object) => {
    const clock = new TestClock();
    const screen = new FakeScreen();
    screen.hold("ses_shown", ["one"]);
    const host = { data: screen.data, ui: screen.ui, keymap: screen.keymap, ...broken(screen) } as ScreenHost;
    const close = companion(host, clock);
    screen.prune("ses_shown", "one", "one, pruned");
    screen.emit("server.connected");
    await clock.advance(SETTLED);
    close();
    return screen.held.get("ses_shown");
  };

  it.each<[string, (screen: FakeScreen) => object]>([
    ["router", (screen) => ({ ui: { ...screen.ui, router: { current: failure } } })],
    ["slot", (screen) => ({ ui: { ...screen.ui, slot: failure } })],
    ["keymap", () => ({ keymap: { layer: failure } })],
  ])("keeps the screen true although the UI's %s fails", async (_, broken) => {
    expect(await withBroken(broken)).toEqual(["one, pruned"]);
  });

  it.each<[string, (screen: FakeScreen) => object]>([
    ["way to listen", ({ data }) => ({ data: { ...data, listen: failure } })],
    ["messages", ({ data }) => ({ data: { ...data, session: { message: { list: failure } } } })],
  ])("throws nothing into the UI when its %s fail", async (_, broken) => {
    await expect(withBroken(broken)).resolves.toBeDefined();
  });
});

describe("the prune command", () => {
  it("is offered once, in the palette and as /prune", async () => {
    const { screen } = await opened();
    expect(screen.commands).toMatchObject([{ palette: true, slash: { name: "prune" } }]);
  });

  it("says how to open the companion for the session that is shown now", async () => {
    const { screen } = await opened();
    screen.commands[0]?.run();
    screen.route = { type: "home" };
    screen.commands[0]?.run();
    const [inSession, atHome] = screen.alerts.map(({ message }) => message.split("\n"));
    expect(inSession).toContain("opencode-prune --session ses_shown");
    expect(atHome).toContain("opencode-prune");
  });

  it("survives a dialog that cannot be shown", async () => {
    const { screen } = await opened();
    screen.ui.dialog.alert = () => Promise.reject(new Error("no room"));
    expect(() => screen.commands[0]?.run()).not.toThrow();
    screen.ui.dialog.alert = () => {
      throw new Error("no dialog");
    };
    expect(() => screen.commands[0]?.run()).not.toThrow();
  });
});

describe("the ./tui entry", () => {
  it("goes by the plugin's id", () => {
    expect(entry.id).toBe(PLUGIN_ID);
  });

  it("sets up and closes on a screen", () => {
    const screen = new FakeScreen();
    const close = entry.setup(screen);
    expect(screen.listeners.size).toBe(1);
    close();
    expect(screen.listeners.size).toBe(0);
  });
});
