import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cacheFolder, MessageCache } from "../../src/cache/index.ts";
import { openTerminal, type Terminal } from "./support/index.ts";

describe("opening the app where it cannot work", () => {
  let terminal: Terminal;
  afterEach(() => terminal.close());

  it.each([
    ["nobody listens", ["--server", "http://127.0.0.1:1"], 1, /127\.0\.0\.1:1.*; .*\./],
    ["the address is none", ["--server", "nonsense"], 1, /"nonsense" is not the address.*; .*\./],
  ])("says so in one sentence and leaves the terminal alone: %s", async (_, options, code, sentence) => {
    terminal = openTerminal({ arguments: options, columns: 300 });
    expect(await terminal.ended).toEqual({ code, signal: 0 });
    expect(terminal.text()).toMatch(sentence);
    expect(terminal.text().split("\n")).toHaveLength(1);
    expect(terminal.raw()).not.toContain("\u001b");
  });
});

describe("opening the app on what an earlier run kept", () => {
  let home: string;
  let terminal: Terminal;
  let silent: Server | undefined;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "opencode-prune-test-"));
  });
  afterEach(async () => {
    await terminal.close();
    silent?.close();
    silent = undefined;
    rmSync(home, { recursive: true });
  });

  function open(server: string): void {
    const cache = new MessageCache({ folder: cacheFolder({ XDG_CACHE_HOME: home }), server });
    cache.keep([
      {
        listing: {
          sessionID: "ses_kept",
          title: "Kept from before",
          directory: "/work/project",
          projectID: "global",
          created: 1_700_000_000_000,
          updated: 1_700_000_000_000,
        },
      },
    ]);
    cache.close();
    terminal = openTerminal({
      arguments: ["--server", server],
      columns: 300,
      environment: { XDG_CACHE_HOME: home, XDG_STATE_HOME: home },
    });
  }

  it("shows it before the server has answered, asks it for nothing else, says so, and can be left", async () => {
    // It takes connections, and never says a word.
    const asked: string[] = [];
    const listening = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => asked.push(data.toString("latin1").split(" HTTP", 1)[0] ?? ""));
    });
    silent = listening;
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const { port } = listening.address() as { port: number };
    open(`http://127.0.0.1:${port}`);
    await terminal.until("Kept from before");
    await terminal.until("connecting");
    await terminal.press("Enter");
    await terminal.quiet(500);
    expect(asked).toEqual(["GET /api/info"]);
    await terminal.press("Esc", "q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
  });

  it("leaves again, and says in one sentence why, where no server can be used", async () => {
    open("http://127.0.0.1:1");
    expect(await terminal.ended).toEqual({ code: 1, signal: 0 });
    expect(terminal.buffer()).toBe("normal");
    expect(terminal.cursorHidden()).toBe(false);
    expect(terminal.text().trim()).toMatch(/^[^\n]*127\.0\.0\.1:1[^\n]*; [^\n]*\.$/);
  });
});
