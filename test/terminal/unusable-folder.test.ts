import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, textPart, toolPart } from "../native/support/messages.ts";
import { type AppDaemon, startAppDaemon, type Terminal } from "./support/index.ts";

let native: AppDaemon;
let terminal: Terminal;
let gone: string;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  gone = join(native.daemon.user, "gone");
  const time = { created: 1_700_000_000_000, updated: 1_700_000_000_000 };
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  await native.call("POST", "/api/experimental/session/import", {
    info: {
      ...{ id: "ses_gone", projectID: "global", cost: 0, tokens, time, title: "A project of last year" },
      location: { directory: gone },
    },
    messages: [assistantMessage("msg_gone", [textPart("Kept."), toolPart("call_gone", "output")])],
    location: { directory: gone },
  });
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

/** What the screen says, as one line. */
const said = () => terminal.text().replaceAll(/\s+/g, "");

describe("a session whose folder is gone", () => {
  it("is refused by the preview, which says which folder to create again", async () => {
    const stored = native.remember();
    terminal = await native.openApp({ columns: 100 });
    await terminal.until("A project of last year");
    await terminal.press("Enter");
    await terminal.until("call_gone");
    await terminal.press("A", "p");
    await terminal.until("folder unusable");
    expect(said()).toContain("OpenCodecannotworkinthesession'sfolder");
    expect(said()).toContain(`(mkdir-p${gone}),thenaskagain.`);
    expect(terminal.text()).not.toMatch(/install|PRUNE/);
    await terminal.press("y");
    await terminal.quiet(300);
    // The daemon notes by itself when it last looked at a project.
    expect(stored.changes().filter((change) => !change.startsWith("project "))).toEqual([]);
  });

  it("is refused by a cleanup in the same words", async () => {
    terminal = await native.openApp({ columns: 100 });
    await terminal.until("A project of last year");
    await terminal.press("c");
    await terminal.until("refused: folder unusable");
    expect(said()).toContain(`(mkdir-p${gone}),thenaskagain.`);
  });
});
