import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/index.ts";
import { requireRuntime } from "../support/pruning-daemon.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../../..");
/** The only dependency that is not bundled; npm would download and compile it. */
const COMPILED = ["better-sqlite3", "bindings", "file-uri-to-path"];

let folder: string;
let installed: string;
let daemon: ThrowawayDaemon;

/**
 * Packs what `npm publish` would, unpacks it where npm puts it, and gives it of its dependencies only what is
 * external to the bundle, as npm would have compiled it.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "opencode-prune-package-"));
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [{ filename }] = JSON.parse(stdout);
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await run("tar", ["-xzf", join(folder, filename), "-C", modules]);
  installed = join(modules, "opencode-prune");
  await run("mv", [join(modules, "package"), installed]);
  for (const name of COMPILED) await symlink(join(ROOT, "node_modules", name), join(modules, name));
  const { bin } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  await symlink(join(installed, bin["opencode-prune"]), join(modules, ".bin", "opencode-prune"));
  daemon = await startThrowawayDaemon({ binary: await requireRuntime() });
});

afterAll(async () => {
  await daemon?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Starts it as a shell does that has `node_modules/.bin` on its path: by the file's own first line. */
const program = (...args: string[]) =>
  run(join(folder, "node_modules", ".bin", "opencode-prune"), [...args, "--server", daemon.url], {
    env: daemon.environment,
    cwd: folder,
  });

describe("the package", () => {
  it("holds what a user runs and reads, and nothing else", async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    const unexpected = files.filter(
      (file) =>
        !/^(package\.json|README\.md|LICENSE|docs\/.+\.(md|svg|json)|dist\/cli\.js|dist\/plugin\/[a-z]+\.(js|json))$/.test(
          file,
        ),
    );
    expect(unexpected).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/cli.js", "dist/plugin/index.js", "README.md", "LICENSE"]),
    );
  });

  it("works where it was installed: the program, its plugin, and the compiled database", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect((await program("--version")).stdout).toBe(`${version}\n`);
    expect((await program("plugin", "install")).stdout).toContain("and it answers");
    expect(JSON.parse((await program("sessions", "--json")).stdout)).toMatchObject({ sessions: [] });
    const report = JSON.parse((await program("doctor", "--json")).stdout);
    expect(report.checks).toContainEqual(expect.objectContaining({ name: "SQLite", status: "ok" }));
    expect((await program("plugin", "remove")).stdout).toContain("receipts");
  });
});
