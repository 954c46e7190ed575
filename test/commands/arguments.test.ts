import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { ageArgument, countArgument, sizeArgument } from "../../src/commands/arguments.ts";
import { partFilter } from "../../src/commands/filter-flags.ts";

describe("what is written behind an option", () => {
  it.each([
    ["900", 900],
    ["50k", 50_000],
    ["1.5 MB", 1_500_000],
    ["2MiB", 2_097_152],
    ["0", 0],
  ])("is a size: %s", (text, bytes) => {
    expect(sizeArgument(text)).toBe(bytes);
  });

  it.each([
    ["30min", 1_800_000],
    ["12h", 43_200_000],
    ["14d", 1_209_600_000],
    ["1.5d", 129_600_000],
    ["6 w", 3_628_800_000],
  ])("is an age: %s", (text, milliseconds) => {
    expect(ageArgument(text)).toBe(milliseconds);
  });

  it.each(["", "k", "-1", "1e3", "50q", "5 0", "0x10"])("is no size: %j", (text) => {
    expect(() => sizeArgument(text)).toThrow(InvalidArgumentError);
  });

  // A month or a minute: whoever writes `6m` must not lose what is seven minutes old.
  it.each(["", "14", "d", "6m", "1y", "-1d", "1d2h", "Infinityd"])("is no age: %j", (text) => {
    expect(() => ageArgument(text)).toThrow(InvalidArgumentError);
  });

  it.each(["", "-1", "1.5", "one"])("is no number: %j", (text) => {
    expect(() => countArgument(text)).toThrow(InvalidArgumentError);
  });
});

describe("the filters of the command line", () => {
  const types = (flags: Parameters<typeof partFilter>[0]) => [...partFilter(flags, 0).types].sort();

  it("mean both kinds until one is named, and a tool's name names its kind", () => {
    expect(types({})).toEqual(["reasoning", "tool"]);
    expect(types({ tools: true })).toEqual(["tool"]);
    expect(types({ reasoning: true })).toEqual(["reasoning"]);
    expect(types({ tools: true, reasoning: true })).toEqual(["reasoning", "tool"]);
    expect(types({ tool: ["read"] })).toEqual(["tool"]);
    expect(types({ tool: ["read"], reasoning: true })).toEqual(["reasoning", "tool"]);
  });

  it("turn an age into a moment, once and for all sessions", () => {
    expect(partFilter({ olderThan: 1_000 }, 5_000)).toMatchObject({ before: 4_000 });
    expect(partFilter({}, 5_000)).not.toHaveProperty("before");
  });
});
