import { describe, expect, it } from "vitest";
import type { FakeHistory } from "./fake-ports.ts";
import { message, outline, reasoning, session, tool } from "./fake-ports.ts";
import { openScreen } from "./open-screen.tsx";

function twoSessions({ history }: { history: FakeHistory }): void {
  history.putSession(
    session("ses_small", {
      title: "Fix the login form",
      technical: { parts: 1, bytes: 900 },
      storedBytes: 3_000,
      messages: 4,
    }),
    session("ses_heavy", {
      title: "Migrate the database",
      technical: { parts: 3, bytes: 2_500_000 },
      storedBytes: 2_600_000,
      messages: 12,
    }),
  );
  history.putOutline(
    outline("ses_heavy", [
      message("msg_1", [
        reasoning(0),
        tool(1, { bytes: 1_500_000, label: "npm run build" }),
        tool(2, { bytes: 900_000 }),
      ]),
      message("msg_2", [tool(0, { toolID: "call_x", status: "running", label: "sleep 5" })], {
        unprunable: "unsettled_tool",
      }),
    ]),
  );
}

describe("the main job", () => {
  it("shows the heaviest session first, with its sizes and share", async () => {
    const { frame } = await openScreen({ prepare: twoSessions });
    const lines = frame().split("\n");
    expect(lines[2]).toMatch(/▸ +Migrate the database .* 3 +2\.5 MB +96% idle/);
    expect(lines[3]).toMatch(/Fix the login form .* 1 +900 B/);
  });

  it("filters while the text is typed, and Esc brings everything back", async () => {
    const { frame, type } = await openScreen({ prepare: twoSessions });
    await type("/", "login");
    expect(frame()).toContain("Fix the login form");
    expect(frame()).not.toContain("Migrate the database");
    await type("escape");
    expect(frame()).toContain("Migrate the database");
  });

  it("prunes exactly the selection, after the preview and y", async () => {
    const { frame, type, pruning } = await openScreen({ prepare: twoSessions });
    await type("enter");
    expect(frame()).toContain("npm run build");
    await type("down", "down", "space");
    expect(frame()).toContain("[x] bash       npm run build");
    expect(frame()).toContain("Selected: 1 part in 1 message, 1.5 MB, 58% of the session");
    await type("p");
    expect(frame()).toContain("goes: 1 part, 1.5 MB");
    expect(frame()).toContain("It is irreversible. y prunes; any other key does not.");
    await type("y");
    expect(pruning.pruned).toHaveLength(1);
    expect(
      pruning.pruned[0]?.messages.map(({ messageID, goes }) => [messageID, goes.map((part) => part.index)]),
    ).toEqual([["msg_1", [1]]]);
    expect(frame()).toContain("Pruned 1 part in 1 message: 1.5 MB.");
    await type("escape");
    expect(frame()).not.toContain("npm run build");
    expect(frame()).not.toContain("Selected:");
  });

  it("prunes nothing on any other key than y", async () => {
    const { type, pruning, app } = await openScreen({ prepare: twoSessions });
    await type("enter", "A", "p");
    const harmless = [
      "Y",
      "n",
      "a",
      "A",
      "x",
      "t",
      "r",
      "s",
      "p",
      "c",
      "C",
      "i",
      "e",
      "1",
      "space",
      "enter",
      "down",
      "g",
      "G",
    ];
    for (const key of harmless) {
      await type(key);
      while (app.store.getState().screens.at(-1) !== "preview") await type("escape");
    }
    expect(pruning.pruned).toEqual([]);
    await type("escape");
    expect(pruning.pruned).toEqual([]);
  });

  it("says why a part that is not settled cannot be selected", async () => {
    const { frame, type } = await openScreen({ prepare: twoSessions });
    await type("enter", "G", "space");
    expect(frame()).toContain("A tool of this message has not settled.");
    expect(frame()).toMatch(/ - +bash +sleep 5 .* running/);
    expect(frame()).not.toContain("Selected:");
  });

  it("shows a prune by somebody else without a key press, and says what left the selection", async () => {
    const { frame, type, history, drawn } = await openScreen({ prepare: twoSessions });
    await type("enter", "A");
    expect(frame()).toContain("Selected: 3 parts");
    history.removeParts("ses_heavy", "msg_1", [1]);
    await drawn();
    expect(frame()).not.toContain("npm run build");
    expect(frame()).toContain("1 part left the selection: somebody else pruned or changed it.");
    await type("k");
    expect(frame()).toContain("Selected: 2 parts in 1 message");
  });

  it("does not take its own prune for somebody else's when it is read before it is answered", async () => {
    const { frame, type, history, pruning } = await openScreen({ prepare: twoSessions });
    pruning.step = async () => history.removeParts("ses_heavy", "msg_1", [1]);
    await type("enter", "j", "j", "space", "p", "y");
    expect(frame()).toContain("Pruned 1 part in 1 message");
    expect(frame()).not.toContain("left the selection");
    await type("escape");
    expect(frame()).not.toContain("left the selection");
    expect(frame()).not.toContain("Selected:");
  });

  it("offers to install a missing plugin and lets everything else be read", async () => {
    const { frame, type, plugin } = await openScreen({
      prepare(ports) {
        twoSessions(ports);
        ports.plugin.state = { state: "missing" };
      },
    });
    expect(frame()).toContain("plugin: missing, i installs it");
    await type("enter", "A", "p");
    expect(frame()).toContain("goes: 3 parts");
    expect(frame()).not.toContain("PRUNE");
    await type("escape", "i");
    expect(plugin.installs).toBe(1);
    expect(frame()).toContain("The plugin is installed and answers.");
    expect(frame()).toContain("plugin: ready");
  });
});
