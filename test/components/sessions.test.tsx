import { describe, expect, it } from "vitest";
import type { Preferences } from "../../src/state/index.ts";
import { exampleHistory } from "./example.ts";
import { NOW, session } from "./fake-ports.ts";
import { openScreen } from "./open-screen.tsx";

/** The titles on the screen, from the top. */
function titles(frame: string): string[] {
  return frame
    .split("\n")
    .slice(2, -3)
    .filter((line) => line.trim() !== "")
    .map((line) => line.slice(4, 34).trim());
}

function cursorTitle(frame: string): string {
  const line = frame.split("\n").find((candidate) => candidate.startsWith("▸"));
  return line?.slice(4, 34).trim() ?? "";
}

describe("the sessions screen", () => {
  it("sorts by the next column with each s", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, columns: 80, rows: 24 });
    expect(titles(frame())[1]).toContain("ビルド");
    const seen = [frame().split("\n")[0]];
    for (let press = 0; press < 6; press += 1) {
      await type("s");
      seen.push(frame().split("\n")[0]);
    }
    expect(seen).toEqual([
      "Sessions 7 by technical bytes",
      "Sessions 7 by share",
      "Sessions 7 by technical parts",
      "Sessions 7 by messages",
      "Sessions 7 by last updated",
      "Sessions 7 by title",
      "Sessions 7 by location",
    ]);
    expect(titles(frame())[0]).toBe("(untitled)");
  });

  it("moves with arrows and letters, by pages and to the ends", async () => {
    const { frame, type } = await openScreen({
      rows: 15,
      prepare({ history }) {
        history.putSession(
          ...Array.from({ length: 40 }, (_, number) =>
            session(`s${number}`, {
              title: `Number ${number}`,
              technical: { parts: 1, bytes: 1_000 - number },
            }),
          ),
        );
      },
    });
    const cursorAfter = async (...keys: string[]) => {
      await type(...keys);
      return cursorTitle(frame());
    };
    expect(await cursorAfter("down", "j", "j")).toBe("Number 3");
    expect(await cursorAfter("up", "k")).toBe("Number 1");
    expect(await cursorAfter("pagedown")).toBe("Number 9");
    expect(await cursorAfter("ctrl-d")).toBe("Number 17");
    expect(await cursorAfter("ctrl-u")).toBe("Number 9");
    expect(await cursorAfter("pageup")).toBe("Number 1");
    expect(await cursorAfter("G")).toBe("Number 39");
    expect(await cursorAfter("g")).toBe("Number 0");
    expect(await cursorAfter("end")).toBe("Number 39");
    expect(await cursorAfter("home")).toBe("Number 0");
    expect(await cursorAfter("jjj")).toBe("Number 3");
  });

  it("keeps the cursor on its session when others overtake it", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: exampleHistory });
    await type("j");
    expect(cursorTitle(frame())).toContain("ビルド");
    const row = frame()
      .split("\n")
      .findIndex((line) => line.startsWith("▸"));
    history.putSession(
      session("ses_new", { title: "Overtaking", technical: { parts: 9, bytes: 99_000_000 } }),
    );
    await drawn();
    expect(cursorTitle(frame())).toContain("ビルド");
    expect(titles(frame())[0]).toBe("Overtaking");
    expect(row).toBeGreaterThan(0);
    expect(frame()).toMatch(/\* Overtaking/);
  });

  it("lets the marks of change fade", async () => {
    const { frame, history, drawn, clock } = await openScreen({ prepare: exampleHistory });
    history.putSession(session("ses_login", { title: "Fix the login form, again" }));
    await drawn();
    expect(frame()).toMatch(/\* Fix the login form, again/);
    clock.now += 10_000;
    await expect.poll(frame).not.toMatch(/\* Fix the login form, again/);
  });

  it("tells the history which sessions are seen", async () => {
    const { history, type } = await openScreen({ prepare: exampleHistory, rows: 10 });
    expect(history.shown).toEqual(["ses_migrate", "ses_build", "ses_login", "ses_explore"]);
    await type("G");
    expect(history.shown).toEqual(["ses_explore", "ses_names", "ses_hostile", "ses_unread"]);
  });

  it("says what it waits for, and what there is not", async () => {
    const { frame, history, drawn } = await openScreen({
      prepare: (ports) =>
        ports.history.edit({ listed: false, connection: { phase: "connecting", attempt: 0 } }),
    });
    expect(frame()).toContain("Reading the list of sessions…");
    history.edit({
      connection: { phase: "lost", attempt: 1, problem: "Nothing listens at 127.0.0.1:4096." },
    });
    await drawn();
    expect(frame()).toContain("Nothing listens at 127.0.0.1:4096.");
    history.edit({ listed: true });
    await drawn();
    expect(frame()).toContain("This server has no sessions.");
  });

  it("reads everything visible again with R", async () => {
    const { history, plugin, type } = await openScreen({ prepare: exampleHistory });
    const asked = plugin.asked;
    await type("R");
    expect(history.refreshes).toBe(1);
    expect(plugin.asked).toBe(asked + 1);
  });

  it("follows a session while its parts are open, and no longer", async () => {
    const { history, type } = await openScreen({ prepare: exampleHistory });
    await type("enter");
    expect(history.followed).toEqual(["ses_migrate"]);
    expect(history.unfollowed).toEqual([]);
    await type("escape");
    expect(history.unfollowed).toEqual(["ses_migrate"]);
  });

  it("opens the session that was asked for", async () => {
    const { frame, history } = await openScreen({ prepare: exampleHistory, sessionID: "ses_migrate" });
    expect(frame()).toContain("Parts of Migrate the orders table");
    expect(history.followed).toEqual(["ses_migrate"]);
  });

  it("says that there is no such session", async () => {
    const { frame } = await openScreen({ prepare: exampleHistory, sessionID: "ses_gone" });
    expect(frame()).toContain("This server has no session ses_gone.");
  });

  it("remembers sort, filter and position for the server", async () => {
    const saved: [string, Preferences][] = [];
    const { type, app } = await openScreen({
      prepare: exampleHistory,
      preferences: {
        load: () => undefined,
        save: (server, preferences) => saved.push([server, preferences]),
      },
    });
    await type("s", "/", "work", "enter", "j", "enter", "s", "escape");
    app.close();
    expect(saved).toEqual([
      [
        "http://127.0.0.1:4096",
        { sessionSort: "share", sessionFilter: "work", sessionID: "ses_explore", partSort: "newest" },
      ],
    ]);
  });

  it("comes back where it was left", async () => {
    const { frame } = await openScreen({
      prepare: exampleHistory,
      preferences: {
        load: () => ({
          sessionSort: "updated",
          sessionFilter: "work",
          sessionID: "ses_login",
          partSort: "largest",
        }),
        save: () => undefined,
      },
    });
    expect(frame()).toContain("Sessions 5 of 7 by last updated filter “work”");
    expect(cursorTitle(frame())).toBe("Fix the login form");
  });

  it("keeps ages up to date while nothing happens", async () => {
    const { frame, clock } = await openScreen({ prepare: exampleHistory });
    expect(frame()).toMatch(/4m(in)? ago/);
    clock.now = NOW + 60_000;
    await expect.poll(frame).toMatch(/5m(in)? ago/);
  });
});
