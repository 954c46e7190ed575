import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRuntime } from "../../src/demo/index.ts";

describe("finding a runtime", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "opencode-prune-runtime-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** An executable that says it is this version. */
  const runtime = async (name: string, says: string) => {
    await mkdir(join(folder, name));
    const binary = join(folder, name, "opencode");
    await writeFile(binary, `#!/bin/sh\necho '${says}'\n`);
    await chmod(binary, 0o755);
    return binary;
  };
  const path = (...names: string[]) => names.map((name) => join(folder, name)).join(delimiter);
  const nothing = () => join(folder, "nothing");

  it("takes OPENCODE_BIN before the PATH", async () => {
    const named = await runtime("named", "opencode v2.1.0");
    await runtime("found", "opencode v2.0.0");
    expect(await findRuntime({ OPENCODE_BIN: named, PATH: path("found") })).toEqual({ binary: named });
  });

  it("does not fall back from an OPENCODE_BIN that is no OpenCode 2", async () => {
    const old = await runtime("old", "1.4.12");
    await runtime("found", "opencode v2.0.0");
    const found = await findRuntime({ OPENCODE_BIN: old, PATH: path("found") });
    expect(found).toEqual({ missing: expect.stringContaining(old) });
  });

  it("passes over an opencode 1.x on the PATH to a 2.x behind it", async () => {
    await runtime("old", "1.2.27");
    const binary = await runtime("found", "opencode v2.0.15");
    expect(await findRuntime({ PATH: path("old", "found") })).toEqual({ binary });
  });

  it("reads the first version that it is told, not one further on", async () => {
    await runtime("old", "opencode v1.9.0 (sdk 2.0.1)");
    const found = await findRuntime({ PATH: path("old") }, nothing);
    expect(found).toEqual({ missing: expect.stringContaining("npm run runtime") });
  });

  it("takes the one that npm run runtime installed when the PATH has none", async () => {
    await runtime("old", "1.2.27");
    const installed = await runtime("installed", "opencode v2.0.15");
    expect(await findRuntime({ PATH: path("old") }, () => installed)).toEqual({ binary: installed });
  });

  it("asks for the version in a home that is gone afterwards", async () => {
    const binary = await runtime("found", "opencode v2.0.15");
    await writeFile(binary, `#!/bin/sh\necho "$HOME $TMPDIR" > '${join(folder, "seen")}'\necho 2.0.15\n`);
    await findRuntime({ PATH: path("found") });
    const seen = (await readFile(join(folder, "seen"), "utf8")).trim().split(" ");
    expect(seen).toHaveLength(2);
    for (const used of seen) {
      expect([homedir(), tmpdir()]).not.toContain(used);
      expect(existsSync(used)).toBe(false);
    }
  });

  it("passes over a 2.x that cannot be executed here", async () => {
    const binary = await runtime("broken", "opencode v2.0.15");
    await writeFile(binary, "neither a script nor a program");
    expect(await findRuntime({ PATH: path("broken") }, nothing)).toHaveProperty("missing");
  });
});
