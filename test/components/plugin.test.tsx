import { describe, expect, it } from "vitest";
import { installedPlugin, missingPlugin } from "./fake-plugin.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";
import { besidePublished, changed, FOLDER, openOver, otherVersion } from "./plugin-example.ts";

const keyLine = ({ frame }: OpenedScreen) => frame().split("\n").at(-1);

describe("the plugin's screen", () => {
  it("says where it is, its version and that it answers, and offers nothing that is not needed", async () => {
    const screen = await openOver(installedPlugin());
    await screen.type("I");
    expect(screen.frame()).toContain("Plugin for every project");
    expect(screen.frame()).toContain(`folder    ${FOLDER}`);
    expect(screen.frame()).toContain("installed 0.1.0, the same as this program brings");
    expect(screen.frame()).toContain("OpenCode  runs it from this folder, and it answers");
    expect(screen.frame()).toContain("The plugin is installed here, and it answers.");
    expect(keyLine(screen)).toBe("d remove  Tab projects  R refresh  Esc back  ? help  q quit");
    await screen.type("i", "u", "y");
    expect(screen.plugin.changes).toEqual([]);
    await screen.type("escape");
    expect(screen.frame()).toContain("Sessions 7");
  });

  it("installs a missing plugin with i", async () => {
    const screen = await openOver(missingPlugin());
    await screen.type("I");
    expect(screen.frame()).toContain("The plugin is not installed; i installs it.");
    expect(screen.frame()).toContain("OpenCode  runs no plugin that prunes");
    expect(keyLine(screen)).toMatch(/^i install {2}Tab/);
    await screen.type("u", "d", "y");
    expect(screen.plugin.changes).toEqual([]);
    await screen.type("i");
    expect(screen.plugin.changes).toEqual([{ change: "install", place: {}, agreed: undefined }]);
    expect(screen.frame()).toContain("The plugin is installed here, and it answers.");
    expect(screen.frame()).toContain("plugin: ready");
  });

  it("says what it is doing meanwhile, and takes no other change", async () => {
    let done: () => void = () => undefined;
    const screen = await openOver(missingPlugin(), {}, (plugin) => {
      plugin.changing = new Promise((resolve) => {
        done = resolve;
      });
    });
    await screen.type("I", "i", "i", "tab", "R");
    expect(screen.frame()).toContain("Installing it, and waiting until it answers…");
    expect(screen.frame()).toContain("plugin: installing…");
    expect(screen.plugin.changes).toHaveLength(1);
    done();
    await screen.drawn();
    expect(screen.frame()).toContain("The plugin is installed here, and it answers.");
  });

  it("is not shown as it was before a change by a look that comes late", async () => {
    const screen = await openOver(installedPlugin());
    let late: () => void = () => undefined;
    await screen.type("I", "d");
    screen.plugin.inspecting = new Promise((resolve) => {
      late = resolve;
    });
    screen.history.notify({ at: screen.clock.now, kind: "connected" });
    await screen.type("y");
    expect(screen.frame()).toContain("The plugin is removed from");
    late();
    await screen.drawn();
    expect(screen.frame()).toContain("The plugin is removed from");
    expect(screen.frame()).toContain("installed nothing");
  });

  it("says in a message how a change went whose screen was left", async () => {
    for (const failure of [undefined, new Error("The plugins folder cannot be written.")]) {
      let done: () => void = () => undefined;
      const screen = await openOver(installedPlugin(), {}, (plugin) => {
        plugin.changeFailure = failure;
        plugin.changing = new Promise((resolve) => {
          done = resolve;
        });
      });
      await screen.type("I", "d", "y", "escape");
      expect(screen.frame()).toContain("plugin: removing…");
      done();
      await screen.drawn();
      expect(screen.frame()).toContain(
        failure === undefined
          ? "The plugin is removed. Receipts of what was pruned stay."
          : `The plugin could not be removed: ${failure.message}`,
      );
    }
  });

  it("replaces another version with u at once, since nobody changed it", async () => {
    const screen = await openOver(otherVersion);
    await screen.type("I");
    expect(screen.frame()).toContain("installed 0.0.9, another version");
    expect(screen.frame()).toContain("brought   0.1.0");
    expect(screen.frame().replace(/\s+/g, " ")).toContain(
      "It is another version (0.0.9) than this program brings (0.1.0); u replaces it.",
    );
    await screen.type("u");
    expect(screen.plugin.changes).toEqual([{ change: "update", place: {}, agreed: undefined }]);
    expect(screen.frame()).toContain("The plugin is updated here, and it answers.");
  });

  it("replaces a changed copy only after u and y, and only the very copy that was shown", async () => {
    const screen = await openOver(changed);
    await screen.type("I");
    expect(screen.frame()).toContain("installed 0.1.0, changed by somebody: index.js, notes.txt");
    expect(keyLine(screen)).toMatch(/^u update {2}d remove /);
    for (const key of ["u", "i", "d", "tab", "enter", "escape", "Y", "R", "q", "ctrl-c"]) {
      await screen.type("u");
      expect(screen.frame(), key).toContain(`Replaces the plugin in ${FOLDER}`);
      expect(screen.frame(), key).toContain("What somebody changed is lost: index.js, notes.txt.");
      expect(screen.frame(), key).toContain("y replaces it; any other key does not.");
      expect(keyLine(screen), key).toBe("y YES  Esc back  ? help  q quit");
      await screen.type(key);
      expect(screen.frame().replace(/\s+/g, " "), key).toContain(
        "u puts the original back, after a question",
      );
    }
    await screen.type("y");
    expect(screen.plugin.changes).toEqual([]);
    await screen.type("u", "y");
    expect(screen.plugin.changes).toEqual([{ change: "update", place: {}, agreed: "bbbb" }]);
    expect(screen.frame()).toContain("The plugin is updated here, and it answers.");
  });

  it("removes only after d and y, and says that nothing but receipts stays", async () => {
    const screen = await openOver(installedPlugin());
    await screen.type("I", "d");
    expect(screen.frame().replace(/\s+/g, " ")).toContain(
      `Removes the plugin from ${FOLDER}. Nothing but receipts of what was pruned stays, in OpenCode's database. y removes it; any other key does not.`,
    );
    expect(screen.frame()).not.toContain("is lost");
    await screen.type("d");
    expect(screen.plugin.changes).toEqual([]);
    await screen.type("d", "y");
    expect(screen.plugin.changes).toEqual([{ change: "remove", place: {}, agreed: undefined }]);
    expect(screen.frame().replace(/\s+/g, " ")).toContain(
      `The plugin is removed from ${FOLDER}; receipts of what was pruned stay in OpenCode's database.`,
    );
    expect(screen.frame()).toContain("plugin: missing");
    expect(keyLine(screen)).toMatch(/^i install /);
  });

  it("says that removing a changed copy loses what was changed", async () => {
    const screen = await openOver(changed);
    await screen.type("I", "d");
    expect(screen.frame()).toContain("What somebody changed is lost: index.js, notes.txt.");
    await screen.type("y");
    expect(screen.plugin.changes).toEqual([{ change: "remove", place: {}, agreed: "bbbb" }]);
  });

  it("says why a change was refused, in full, until the next key that asks for something", async () => {
    const refusal = `The plugin in ${FOLDER} was changed since it was installed, and stays as it is; move it away.`;
    const screen = await openOver(otherVersion, {}, (plugin) => {
      plugin.changeFailure = new Error(refusal);
    });
    await screen.type("I", "u");
    expect(screen.frame().replace(/\s+/g, " ")).toContain(refusal);
    await screen.type("R");
    expect(screen.frame()).toContain("It is another version (0.0.9)");
  });

  it("leaves alone what is not ours, and what is on another machine", async () => {
    const foreign = missingPlugin({ installed: { content: "foreign", changedFiles: [] } });
    const remote = missingPlugin({ isLocal: false });
    for (const [inspection, sentence] of [
      [foreign, "Something else lies where it would be installed, and stays as it is"],
      [remote, "The server keeps its plugins on another machine; install, update and remove it"],
    ] as const) {
      const screen = await openOver(inspection);
      await screen.type("I");
      expect(screen.frame()).toContain(sentence);
      await screen.type("i", "u", "d", "y");
      expect(screen.plugin.changes).toEqual([]);
    }
  });

  it("explains the published plugin beside ours", async () => {
    const screen = await openOver(installedPlugin(besidePublished));
    await screen.type("I");
    expect(screen.frame()).toContain("OpenCode  runs the published plugin, which answers");
    expect(screen.frame()).toContain("The published session pruning plugin answers; opencode-prune uses it.");
    expect(screen.frame().replace(/\s+/g, " ")).toContain(
      "Ours, here, stands back while the published one is active: both speak the same contract.",
    );
    expect(screen.frame()).toContain("plugin: ready (published)");
  });

  it("says why OpenCode could not load it", async () => {
    const problem = "OpenCode could not load the plugin (Error: out of luck); install it again.";
    const screen = await openOver(
      installedPlugin({
        observed: { answers: false, isFromFolder: true, isPublishedActive: false },
        state: { state: "failed", problem },
      }),
    );
    await screen.type("I");
    expect(screen.frame()).toContain("OpenCode  could not load it");
    expect(screen.frame()).toContain(problem);
    expect(keyLine(screen)).toMatch(/^i install {2}d remove/);
  });

  it("says why it could not look, and looks again with R and when the connection is back", async () => {
    const screen = await openOver(installedPlugin(), {}, (plugin) => {
      plugin.inspectFailure = new Error("The server is away.");
    });
    await screen.type("I");
    expect(screen.frame()).toContain("The plugin could not be looked at: The server is away. R tries again.");
    screen.plugin.inspectFailure = undefined;
    await screen.type("R");
    expect(screen.frame()).toContain("The plugin is installed here");
    screen.plugin.inspection = changed;
    screen.history.notify({ at: screen.clock.now, kind: "connected" });
    await screen.drawn();
    expect(screen.frame()).toContain("changed by somebody");
  });
});

describe("the plugin for one project", () => {
  const PROJECT = "/home/ada/work/orders-api";

  it("is that of the session under the cursor, or of the open one, and changed there alone", async () => {
    for (const keys of [[], ["enter"]]) {
      const screen = await openOver(missingPlugin());
      await screen.type(...keys, "I", "tab");
      expect(screen.frame()).toContain(`Plugin for the project in ${PROJECT} alone`);
      expect(screen.frame()).toContain(`folder    ${PROJECT}/.opencode/plugins/opencode-prune`);
      await screen.type("i");
      expect(screen.plugin.changes).toEqual([
        { change: "install", place: { directory: PROJECT }, agreed: undefined },
      ]);
      await screen.type("tab");
      expect(screen.frame()).toContain("Plugin for every project");
    }
  });

  it("is not offered where OpenCode runs another copy there, which is named", async () => {
    const screen = await openOver(
      missingPlugin({
        observed: { answers: true, isFromFolder: false, isPublishedActive: false, elsewhere: FOLDER },
        state: { state: "ready", provider: "ours" },
      }),
    );
    await screen.type("I", "tab");
    expect(screen.frame().replace(/\s+/g, " ")).toContain(
      `The plugin answers; OpenCode loads it from ${FOLDER}.`,
    );
    await screen.type("i");
    expect(screen.plugin.changes).toEqual([]);
  });

  it("is not there without a session", async () => {
    const screen = await openScreen({ columns: 80, rows: 24 });
    await screen.type("I", "tab");
    expect(screen.frame()).toContain("Plugin for every project");
    expect(keyLine(screen)).not.toContain("Tab");
  });
});
