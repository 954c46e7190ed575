import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { databasePath } from "../../src/plugin/database-path.ts";

const daemon = {
  option: undefined,
  channel: "latest",
  environment: { XDG_DATA_HOME: "/data" },
  platform: "linux",
};

describe("the database path", () => {
  it("is the option's where it is set, if absolute", () => {
    expect(databasePath({ ...daemon, option: "/some/where.db" })).toBe("/some/where.db");
    for (const option of ["where.db", "", 5, null])
      expect(databasePath({ ...daemon, option })).toBeUndefined();
  });

  it("is one file for the ordinary channels, and one each for the others", () => {
    for (const channel of ["latest", "beta", "prod", undefined])
      expect(databasePath({ ...daemon, channel })).toBe("/data/opencode/opencode.db");
    expect(databasePath({ ...daemon, channel: "dev" })).toBe("/data/opencode/opencode-dev.db");
    expect(databasePath({ ...daemon, channel: "my/branch x" })).toBe(
      "/data/opencode/opencode-my-branch-x.db",
    );
  });

  it("ignores the channel where the environment says so", () => {
    for (const [value, file] of [
      ["1", "opencode.db"],
      ["true", "opencode.db"],
      ["0", "opencode-dev.db"],
      ["", "opencode-dev.db"],
    ] as const) {
      const environment = { ...daemon.environment, OPENCODE_DISABLE_CHANNEL_DB: value };
      expect(databasePath({ ...daemon, channel: "dev", environment })).toBe(`/data/opencode/${file}`);
    }
  });

  it("follows OPENCODE_DB: absolute, or in the data folder, or nowhere on the disk", () => {
    const at = (OPENCODE_DB: string) =>
      databasePath({ ...daemon, environment: { ...daemon.environment, OPENCODE_DB } });
    expect(at("/else/where.db")).toBe("/else/where.db");
    expect(at("mine.db")).toBe("/data/opencode/mine.db");
    expect(at(":memory:")).toBeUndefined();
    expect(at("")).toBe("/data/opencode/opencode.db");
  });

  it("lies in the home folder where no data folder is named", () => {
    expect(databasePath({ ...daemon, environment: {} })).toBe(
      `${homedir()}/.local/share/opencode/opencode.db`,
    );
  });

  it("is no network path on Windows", () => {
    expect(databasePath({ ...daemon, option: "//server/share/x.db", platform: "win32" })).toBeUndefined();
    expect(databasePath({ ...daemon, option: "//server/share/x.db" })).toBe("//server/share/x.db");
  });
});
