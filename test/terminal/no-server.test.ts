import { afterEach, describe, expect, it } from "vitest";
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
