import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPreferences } from "../../src/commands/preferences.ts";

const PREFERENCES = {
  sessionSort: "updated",
  sessionFilter: "map",
  sessionID: "ses_1",
  partSort: "largest",
} as const;

describe("preferences", () => {
  let home = "";
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "opencode-prune-preferences-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const preferences = () => createPreferences({ XDG_STATE_HOME: home });
  const folder = () => join(home, "opencode-prune");

  it("are remembered for each server by itself", () => {
    preferences().save("http://one", PREFERENCES);
    preferences().save("http://two", { ...PREFERENCES, sessionFilter: "" });
    expect(preferences().load("http://one")).toEqual(PREFERENCES);
    expect(preferences().load("http://two")?.sessionFilter).toBe("");
    expect(preferences().load("http://three")).toBeUndefined();
  });

  it("are for this user alone, and leave no unfinished file", () => {
    preferences().save("http://one", PREFERENCES);
    expect(readdirSync(folder())).toEqual(["preferences.json"]);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), "preferences.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["no JSON", "{"],
    ["another shape", '{"version":1,"servers":{"http://one":{"sessionSort":"colour"}}}'],
    ["a newer version", '{"version":2,"servers":{}}'],
  ])("are as if never saved when the file holds %s", (_, text) => {
    mkdirSync(folder());
    writeFileSync(join(folder(), "preferences.json"), text);
    expect(preferences().load("http://one")).toBeUndefined();
    preferences().save("http://one", PREFERENCES);
    expect(preferences().load("http://one")).toEqual(PREFERENCES);
  });

  it("lose nothing but comfort when they cannot be written", () => {
    writeFileSync(folder(), "a file where the folder should be");
    expect(() => preferences().save("http://one", PREFERENCES)).not.toThrow();
    expect(preferences().load("http://one")).toBeUndefined();
  });
});
