import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  copyIn,
  inspectFolder,
  placeFolder,
  pluginFolder,
  projectPluginFolder,
  removeEmpty,
  removeFolder,
} from "../../src/opencode/plugin-folder.ts";

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

const contentOf = async (target: string) => (await inspectFolder(source, target)).content;

afterEach(() => rm(home, { recursive: true, force: true }));

describe("the plugin's folder", () => {
  it("holds a whole copy after it was placed, and nothing else is left anywhere", async () => {
    expect(await contentOf(target)).toBe("absent");
    await placeFolder(source, target);
    expect(await readFile(join(target, "deep", "index.js"), "utf8")).toBe("export default 1;");
    expect(await contentOf(target)).toBe("same");
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
    expect(await readdir(configuration)).toEqual(["plugins"]);
    expect(await readdir(join(configuration, "plugins"))).toEqual(["opencode-prune"]);
  });

  it("is gone without a trace after it was removed", async () => {
    await placeFolder(source, target);
    await removeFolder(target);
    expect(await contentOf(target)).toBe("absent");
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
    expect(await readdir(join(configuration, "plugins"))).toEqual([]);
  });

  it.each([
    ["a changed file", "deep/index.js", (file: string) => writeFile(file, "export default 2;")],
    ["one file more", "more.js", (file: string) => writeFile(file, "")],
    ["one file less", "deep/index.js", (file: string) => rm(file)],
  ])("is changed with %s, which is named", async (_, file, change) => {
    await placeFolder(source, target);
    await change(join(target, file));
    expect(await inspectFolder(source, target)).toMatchObject({ content: "changed", changedFiles: [file] });
  });

  it.each([
    ["a folder without our package", () => mkdir(target)],
    ["a file", () => writeFile(target, "")],
    ["a link to our files", () => symlink(source, target)],
  ])("is foreign when it is %s", async (_, put) => {
    await mkdir(join(configuration, "plugins"));
    await put();
    expect(await contentOf(target)).toBe("foreign");
  });

  it("tells another version of ours from a copy that somebody changed", async () => {
    await placeFolder(source, target);
    await writeFile(join(source, "deep", "index.js"), "export default 2;");
    await writeFile(join(source, "package.json"), '{"name":"opencode-prune-plugin","version":"2.0.0"}');
    expect(await contentOf(target)).toBe("other_version");
    await writeFile(join(target, "deep", "index.js"), "export default 'mine';");
    // Against what was installed, not against what is brought: package.json is another, too.
    expect(await inspectFolder(source, target)).toMatchObject({
      content: "changed",
      changedFiles: ["deep/index.js"],
    });
  });

  it("takes a copy without a record for changed, unless its files are ours", async () => {
    await placeFolder(source, target);
    await rm(join(target, "installed.json"));
    expect(await contentOf(target)).toBe("same");
    await writeFile(join(source, "deep", "index.js"), "export default 2;");
    expect(await contentOf(target)).toBe("changed");
  });

  it("has a hash that every name and every byte counts in", async () => {
    const hash = async () => (await copyIn(source)).hash;
    const first = await hash();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    await writeFile(join(source, "deep", "index.js"), "export default 2;");
    const second = await hash();
    await rename(join(source, "deep", "index.js"), join(source, "deep", "main.js"));
    expect(new Set([first, second, await hash()]).size).toBe(3);
  });

  it("leaves nothing of a project's folders that were made for it, and all of those that hold more", async () => {
    const project = join(home, "project");
    const ours = projectPluginFolder(project);
    const made = [join(project, ".opencode", "plugins"), join(project, ".opencode")];
    await mkdir(join(project, ".opencode"), { recursive: true });
    await placeFolder(source, ours);
    await removeFolder(ours);
    await removeEmpty(made);
    expect(await readdir(project)).toEqual([]);

    await mkdir(join(project, ".opencode", "plugins", "theirs"), { recursive: true });
    await placeFolder(source, ours);
    await removeFolder(ours);
    await removeEmpty(made);
    expect(await readdir(join(project, ".opencode", "plugins"))).toEqual(["theirs"]);
  });

  it("does not touch what is there already", async () => {
    await mkdir(target, { recursive: true });
    await writeFile(join(target, "mine.js"), "mine");
    await expect(placeFolder(source, target)).rejects.toThrow();
    expect(await readdir(target)).toEqual(["mine.js"]);
    expect((await readdir(home)).sort()).toEqual(["config", "source"]);
  });
});
