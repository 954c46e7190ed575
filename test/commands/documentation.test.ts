import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../src/commands/documents/index.ts";
import { EXIT } from "../../src/commands/exit-codes.ts";
import { commandLine } from "../../src/commands/program/index.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/commands.md"), "utf8");
const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
const commands = below(commandLine("0.0.0"));

describe("the page about the commands", () => {
  it("names every command and every option, and none that there is not", () => {
    for (const command of commands.slice(1)) {
      const path =
        command.parent === commands[0] ? command.name() : `${command.parent?.name()} ${command.name()}`;
      expect(PAGE).toContain(`\`${path}`);
    }
    const known = new Set(["--help", ...commands.flatMap(({ options }) => options.map(({ long }) => long))]);
    const named = new Set(PAGE.match(/--[a-z][a-z-]+/g));
    expect([...named].sort()).toEqual([...known].sort());
  });

  it("lists the exit codes that there are", () => {
    const listed = [...PAGE.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual(Object.values(EXIT));
  });

  it("links every schema, and its examples are of the shapes that they show", () => {
    for (const name of Object.keys(DOCUMENTS)) expect(PAGE).toContain(`(schemas/${name}.json)`);
    const examples = [...PAGE.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text ?? ""));
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples) {
      expect(DOCUMENTS[example.kind as keyof typeof DOCUMENTS].parse(example)).toEqual(example);
    }
  });
});
