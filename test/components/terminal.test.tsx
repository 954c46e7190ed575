import { afterEach, describe, expect, it } from "vitest";
import { type AppExit, openApp } from "../../components/index.tsx";
import { exampleHistory } from "./example.ts";
import { FakePlugin } from "./fake-plugin.ts";
import { FakeHistory, FakePruning, session } from "./fake-ports.ts";
import { FakeTerminal } from "./fake-terminal.ts";
import { openScreen } from "./open-screen.tsx";

interface Opened {
  readonly terminal: FakeTerminal;
  readonly history: FakeHistory;
  readonly pruning: FakePruning;
  readonly left: Promise<AppExit>;
}

let leave: (() => Promise<unknown>) | undefined;

afterEach(async () => {
  await leave?.();
  leave = undefined;
});

function open(
  columns = 80,
  rows = 24,
  options: Partial<Parameters<typeof openApp>[1]> = {},
  ports?: { history: FakeHistory; pruning: FakePruning },
): Opened {
  const terminal = new FakeTerminal(columns, rows);
  const history = ports?.history ?? new FakeHistory();
  const pruning = ports?.pruning ?? new FakePruning(history);
  if (ports === undefined) exampleHistory({ history });
  const left = openApp(
    { history, pruning, plugin: new FakePlugin() },
    { language: "en", stdin: terminal.stdin, stdout: terminal.stdout, environment: {}, ...options },
  );
  leave = () => {
    process.emit("SIGTERM", "SIGTERM");
    return left;
  };
  return { terminal, history, pruning, left };
}

describe("the app on a terminal", () => {
  it("takes the alternate screen and gives everything back when it is left", async () => {
    const { terminal, left } = open();
    await expect.poll(() => terminal.text()).toContain("Migrate the orders table");
    expect(terminal.buffer).toBe("alternate");
    expect(terminal.modes).toMatchObject({ wraparoundMode: false, bracketedPasteMode: true });
    terminal.type("q");
    expect(await left).toEqual({ kind: "quit" });
    expect(await terminal.text()).not.toContain("Migrate");
    expect(terminal.buffer).toBe("normal");
    expect(terminal.modes).toMatchObject({ wraparoundMode: true, bracketedPasteMode: false });
    expect(terminal.written.join("").endsWith("\x1b[?25h\x1b[?1049l")).toBe(true);
  });

  it("writes only the lines that a key changed: under 4 KB for a cursor movement", async () => {
    const { terminal } = open(200, 50);
    await expect.poll(() => terminal.text()).toContain("plugin: ready");
    terminal.written.length = 0;
    terminal.type("j");
    await expect.poll(async () => (await terminal.lines())[3]).toMatch(/^▸/);
    expect(Buffer.byteLength(terminal.written.join(""))).toBeLessThan(4_096);
    expect(terminal.written.join("").match(/\x1b\[2K/g)).toHaveLength(2);
  });

  it.each([
    [60, 15],
    [80, 24],
    [200, 50],
  ])("fills %i × %i and leaves the last line free", async (columns, rows) => {
    const { terminal } = open(columns, rows);
    await expect.poll(async () => (await terminal.lines())[rows - 2]).toContain("q quit");
    const lines = await terminal.lines();
    expect(lines[0]).toContain("Sessions 7");
    expect(lines[rows - 1]).toBe("");
  });

  it.each([
    ["sessions", []],
    ["parts", ["\r"]],
    ["help", ["?"]],
    ["events", ["e"]],
    ["a list that fills no screen", ["/", "orders", "\r"]],
  ])("shows line for line what Ink would lay out: %s", async (_, keys) => {
    const withoutTimes = (frame: string) =>
      frame
        .replace(/ +\S+ ago/g, " (ago)")
        .replace(/(\d+\/\d+\/\d+, )?\d+:\d+ [AP]M */g, "(time) ")
        .replace(/ +$/gm, "");
    const laidOut = await openScreen({
      columns: 120,
      rows: 24,
      prepare: ({ history }) => exampleHistory({ history }),
    });
    await laidOut.type(...keys.flatMap((typed) => (typed === "\r" ? ["enter"] : [...typed])));
    const { terminal } = open(120, 24);
    await expect.poll(() => terminal.text()).toContain("plugin: ready");
    for (const typed of keys.flatMap((key) => [...key])) {
      terminal.type(typed);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect
      .poll(async () => withoutTimes(await terminal.text()).trimEnd())
      .toBe(withoutTimes(laidOut.frame()).trimEnd());
  });

  it("keeps its frame through every resize, also while a preview is open", async () => {
    const { terminal } = open(100, 30);
    terminal.type("\r");
    terminal.type("A");
    terminal.type("p");
    await expect.poll(() => terminal.text()).toContain("It is irreversible.");
    for (const [columns, rows] of [
      [60, 15],
      [200, 50],
      [61, 40],
      [120, 16],
    ] as const) {
      terminal.resize(columns, rows);
      await expect.poll(async () => (await terminal.lines())[rows - 2]).toContain("q quit");
      const lines = await terminal.lines();
      expect(lines[0]).toContain("Preview");
      expect(lines.filter((line) => line.includes("It is irreversible."))).toHaveLength(1);
      expect(lines.filter((line) => line.includes("Preview"))).toHaveLength(1);
    }
  });

  it("says so when the terminal is too small, and comes back", async () => {
    const { terminal } = open(80, 24);
    terminal.resize(30, 8);
    await expect.poll(() => terminal.text()).toContain("Make the terminal larger");
    terminal.resize(80, 24);
    await expect.poll(() => terminal.text()).toContain("Sessions 7");
  });

  it("leaves frames out while the terminal is slow, and shows the last one when it can", async () => {
    const { terminal } = open();
    await expect.poll(() => terminal.text()).toContain("q quit");
    terminal.slow = true;
    terminal.type("j");
    await expect.poll(async () => (await terminal.lines())[3]).toMatch(/^▸/);
    const before = terminal.written.length;
    for (const key of ["j", "j", "j"]) terminal.type(key);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(terminal.written.length).toBe(before);
    terminal.drain();
    await expect.poll(async () => (await terminal.lines())[6]).toMatch(/^▸/);
  });

  it("uses colour, and none where NO_COLOR asks for none", async () => {
    const colours = /\x1b\[(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m/;
    const { terminal } = open(80, 24, { environment: { NO_COLOR: "1" } });
    terminal.type("\r");
    await expect.poll(() => terminal.text()).toContain("Parts of");
    expect(terminal.written.join("")).not.toMatch(colours);
    expect((await terminal.lines()).some((line) => line.startsWith("▸"))).toBe(true);
  });

  it("takes a paste as text for a prompt, and as nothing anywhere else", async () => {
    const { terminal, pruning } = open();
    for (const key of ["\r", "A", "p"]) terminal.type(key);
    await expect.poll(() => terminal.text()).toContain("It is irreversible.");
    terminal.type("\x1b[200~y\r\x1b[201~");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pruning.pruned).toEqual([]);
    for (const key of ["\x1b", "/"]) {
      terminal.type(key);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    terminal.type("\x1b[200~web\nfetch\x1b[201~");
    await expect.poll(() => terminal.text()).toContain("Filter: web fetch█");
  });

  it("shows a stream of changes no faster than frames, and the last one always", async () => {
    const { terminal, history } = open();
    await expect.poll(() => terminal.text()).toContain("q quit");
    terminal.written.length = 0;
    for (let count = 1; count <= 500; count += 1) {
      history.putSession(
        session("ses_migrate", { title: `Title ${count}`, technical: { parts: 1, bytes: 9e6 } }),
      );
    }
    await expect.poll(() => terminal.text()).toContain("Title 500");
    expect(terminal.written.length).toBeLessThan(50);
  });

  it("ends on a signal with the terminal restored", async () => {
    const { terminal, left } = open();
    await expect.poll(() => terminal.text()).toContain("q quit");
    process.emit("SIGTERM", "SIGTERM");
    expect(await left).toEqual({ kind: "signal", signal: "SIGTERM" });
    await terminal.lines();
    expect(terminal.buffer).toBe("normal");
    leave = undefined;
  });

  it("comes back from the background with its frame, whatever was written meanwhile", async () => {
    const { terminal } = open();
    await expect.poll(() => terminal.text()).toContain("q quit");
    terminal.scribble("\x1b[2J\x1b[Hsomebody else");
    process.emit("SIGCONT", "SIGCONT");
    await expect.poll(async () => (await terminal.lines())[0]).toContain("Sessions 7");
    expect(await terminal.text()).not.toContain("somebody else");
  });

  it("leaves one sentence and a report without content after a fault while drawing", async () => {
    const reports: string[] = [];
    const history = new FakeHistory();
    exampleHistory({ history });
    const { terminal, left } = open(
      80,
      24,
      {
        version: "1.2.3",
        writeCrashReport(report) {
          reports.push(report);
          return "/tmp/crash.log";
        },
      },
      { history, pruning: new FakePruning(history) },
    );
    await expect.poll(() => terminal.text()).toContain("q quit");
    const broken = session("ses_broken");
    Object.defineProperty(broken, "confirmed", {
      get() {
        throw new TypeError("secret content\n    at password (hunter2.ts:1:1)");
      },
    });
    history.putSession(broken);
    const exit = await left;
    leave = undefined;
    expect(exit).toMatchObject({ kind: "crashed", sentence: expect.stringContaining("/tmp/crash.log") });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^opencode-prune 1\.2\.3, node v/);
    expect(reports[0]).toContain("kind: TypeError");
    expect(reports[0]).toMatch(/^ {4}at /m);
    expect(reports[0]).not.toMatch(/secret|hunter2|Migrate/);
    expect(terminal.written.join("")).not.toMatch(/secret|hunter2/);
    await terminal.lines();
    expect(terminal.buffer).toBe("normal");
  });

  it("says so when the report could not be written", async () => {
    const { terminal, left } = open(80, 24, {
      writeCrashReport() {
        throw new Error("disk full");
      },
    });
    await expect.poll(() => terminal.text()).toContain("q quit");
    process.emit("uncaughtException", new Error("secret"));
    expect(await left).toMatchObject({
      kind: "crashed",
      sentence: expect.stringContaining("the log could not be written"),
    });
    leave = undefined;
  });
});
