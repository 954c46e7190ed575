import { afterEach, describe, expect, it } from "vitest";
import { openTerminal, type Terminal } from "./support/index.ts";

/** Shows what it gets: keys as hex, its size on a resize, and ends at `q`. */
const ECHO = `
process.stdin.setRawMode(true);
console.log("CI=" + process.env.CI + " TERM=" + process.env.TERM + " GIVEN=" + process.env.GIVEN);
process.stdin.on("data", (keys) => {
  console.log("key " + keys.toString("hex"));
  if (String(keys) === "f") process.stdout.write("\\x1b[?1049h\\x1b[?25l\\x1b[Hfull screen");
  if (String(keys) === "n") process.stdout.write("\\x1b[?25h\\x1b[?1049l");
  if (String(keys) === "q") process.exit(3);
});
process.stdout.on("resize", () => console.log("size " + process.stdout.columns + "x" + process.stdout.rows));
console.log("ready " + process.stdout.columns + "x" + process.stdout.rows);
`;

describe("the pty harness", () => {
  let terminal: Terminal;
  afterEach(() => terminal.close());

  const open = (environment: Readonly<Record<string, string>> = {}) => {
    terminal = openTerminal({
      program: { file: process.execPath, arguments: ["-e", ECHO] },
      columns: 80,
      rows: 20,
      environment,
    });
    return terminal.until("ready 80x20");
  };

  it("runs a program in a terminal of its own, without CI and with the given variables", async () => {
    await open({ GIVEN: "yes" });
    expect(terminal.screen()[0]).toBe("CI=undefined TERM=xterm-256color GIVEN=yes");
    expect(terminal.screen()).toHaveLength(20);
  });

  it("types keys as a keyboard does", async () => {
    await open();
    await terminal.press("j", "Enter", "Down", "ctrl-d");
    await terminal.until(/key 6a\nkey 0d\nkey 1b5b42\nkey 04/);
    await expect(terminal.press("Return")).rejects.toThrow("not a key");
  });

  it("sees the alternate screen, the cursor and the way back", async () => {
    await open();
    await terminal.press("f");
    await terminal.until("full screen");
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["alternate", true]);
    expect(terminal.text()).not.toContain("ready");
    await terminal.press("n");
    await terminal.until("ready");
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["normal", false]);
  });

  it("tells the program about a new size", async () => {
    await open();
    terminal.resize(60, 15);
    await terminal.until("size 60x15");
    expect(terminal.screen()).toHaveLength(15);
  });

  it("tells how the program ended, and shows the screen when it waits in vain", async () => {
    await open();
    await expect(terminal.until("something else", 100)).rejects.toThrow(/something else[\s\S]*ready 80x20/);
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 3, signal: 0 });
    await expect(terminal.until("something else")).rejects.toThrow("ended with code 3");
  });

  it("kills what still runs when it is closed", async () => {
    await open();
    await terminal.close();
    expect(await terminal.ended).toMatchObject({ signal: 9 });
    expect(() => process.kill(terminal.pid, 0)).toThrow("ESRCH");
  });
});
