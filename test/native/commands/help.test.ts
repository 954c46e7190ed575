import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";

/** The commands that a help text lists, in order. */
function listed(help: string): string[] {
  const section = /\nCommands:\n((?: .*\n)+)/.exec(help)?.[1] ?? "";
  return [...section.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) =>
    name && name !== "help" ? [name] : [],
  );
}

async function helpOf(...words: string[]): Promise<string> {
  const result = await runCli([...words, "--help"], { PATH: process.env.PATH });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout;
}

describe("the help", () => {
  it("of every command says what it does, how to reach a server, and every exit code", async () => {
    const commands = listed(await helpOf());
    expect(commands).toEqual(
      "sessions parts show search stats watch prune plugin doctor completion demo".split(" "),
    );
    const subcommands = listed(await helpOf("plugin")).map((name) => ["plugin", name]);
    expect(subcommands.map(([, name]) => name)).toEqual(["install", "update", "status", "remove"]);
    for (const words of [[], ...commands.map((name) => [name]), ...subcommands]) {
      const help = await helpOf(...words);
      expect(help).toMatch(new RegExp(`^Usage: opencode-prune ${words.join(" ")}`));
      expect(help).toContain("--server <url>");
      expect(help).toContain("--json");
      for (const code of [0, 1, 2, 3]) expect(help).toMatch(new RegExp(`^ {2}${code} {2}\\w`, "m"));
      expect(help.split("\n").filter((line) => line.length > 120)).toEqual([]);
    }
  });

  it("of the prune names every filter, and says that it cannot be undone", async () => {
    const help = await helpOf("prune");
    for (const option of "tools reasoning tool min-size older-than keep-last message all-sessions dry-run yes".split(
      " ",
    )) {
      expect(help).toContain(`--${option}`);
    }
    expect(help.replace(/\s+/g, " ")).toContain("This cannot be undone");
  });
});

describe("completion", () => {
  it("prints a script for each shell, and names the shells when it is asked for another", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const result = await runCli(["completion", shell], { PATH: process.env.PATH });
      expect(result).toMatchObject({ code: 0, stderr: "" });
      expect(result.stdout).toContain("all-sessions");
    }
    const wrong = await runCli(["completion", "tcsh"], { PATH: process.env.PATH });
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("bash, zsh, fish");
  });
});
