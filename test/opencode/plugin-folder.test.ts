import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectFolder, placeFolder, pluginFolder, removeFolder } from "../../src/opencode/plugin-folder.ts";

let home: string;
let configuration: string;
let source: string;
let target: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "opencode-prune-folder-"));
  configuration = join(home, "config");
  source = join(home, "source");
  target = pluginFolder(configuration);
  await mkdir(configuration);
  await mkdir(join(source, "deep"), { recursive: true });
  await writeFile(join(source, "package.json"), '{"name":"opencode-prune-plugin"}');
  await writeFile(join(source, "deep", "index.js"), "export default 1;");
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe("the plugin's folder", () => {
  it("holds a whole copy after it was placed, and nothing else is left anywhere", async () => {
    expect(await inspectFolder(source, target)).toBe("absent");
    await placeFolder(source, target);
    expect(await readFile(join(target, "deep", "index.js"), "utf8")).toBe("export default 1;");
    expect(await inspectFolder(source, target)).toBe("same");
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
    expect(await readdir(configuration)).toEqual(["plugins"]);
    expect(await readdir(join(configuration, "plugins"))).toEqual(["opencode-prune"]);
  });

  it("is gone without a trace after it was removed", async () => {
    await placeFolder(source, target);
    await removeFolder(target);
    expect(await inspectFolder(source, target)).toBe("absent");
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
    expect(await readdir(join(configuration, "plugins"))).toEqual([]);
  });

  it.each([
    ["a changed file", () => writeFile(join(target, "deep", "index.js"), "export default 2;")],
    ["one file more", () => writeFile(join(target, "more.js"), "")],
    ["one file less", () => rm(join(target, "deep", "index.js"))],
  ])("is different with %s", async (_, change) => {
    await placeFolder(source, target);
    await change();
    expect(await inspectFolder(source, target)).toBe("different");
  });

  it.each([
    ["a folder without our package", () => mkdir(target)],
    ["a file", () => writeFile(target, "")],
    ["a link to our files", () => symlink(source, target)],
  ])("is foreign when it is %s", async (_, put) => {
    await mkdir(join(configuration, "plugins"));
    await put();
    expect(await inspectFolder(source, target)).toBe("foreign");
  });

  it("does not touch what is there already", async () => {
    await mkdir(target, { recursive: true });
    await writeFile(join(target, "mine.js"), "mine");
    await expect(placeFolder(source, target)).rejects.toThrow();
    expect(await readdir(target)).toEqual(["mine.js"]);
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
  });
});
