import { execFileSync } from "node:child_process";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { completionScript, SHELLS } from "../../src/commands/completion.ts";
import { commandLine } from "../../src/commands/program/index.ts";

const program = commandLine("0.0.0");

/** What bash offers for the words, of which the last is being typed. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program, "bash")}
COMP_WORDS=(opencode-prune "$@")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_opencode_prune
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
  return output.split("\n").filter(Boolean);
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

describe("completion in bash", () => {
  it("offers the commands, and those that begin as what is typed", () => {
    expect(offered("")).toEqual(expect.arrayContaining(program.commands.map((command) => command.name())));
    expect(offered("p")).toEqual(["parts", "prune", "plugin"]);
    expect(offered("plugin", "")).toEqual(expect.arrayContaining(["install", "update", "status", "remove"]));
  });

  it("offers a command's own options and the shared ones, wherever the command stands", () => {
    expect(offered("prune", "--")).toEqual(
      expect.arrayContaining(["--all-sessions", "--min-size", "--json"]),
    );
    expect(offered("--json", "prune", "ses_1", "--older")).toEqual(["--older-than"]);
    expect(offered("plugin", "install", "--f")).toEqual(["--force"]);
    expect(offered("plugin", "status", "--f")).toEqual([]);
  });

  it("offers the values of an argument that has few", () => {
    expect(offered("completion", "")).toEqual(expect.arrayContaining([...SHELLS]));
  });
});

describe.each(SHELLS)("the script for %s", (shell) => {
  it("names every command and every option that there is", () => {
    const script = completionScript(program, shell);
    for (const command of everyCommand(program)) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) {
        expect(script).toContain(shell === "fish" ? ` -l ${long?.slice(2)}` : long);
      }
    }
  });
});
