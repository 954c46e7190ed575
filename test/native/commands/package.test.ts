import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/index.ts";
import { openTerminal } from "../../terminal/support/index.ts";
import { requireRuntime } from "../support/pruning-daemon.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../../..");
/** Where npm finds no compiled better-sqlite3 to download, it compiles one: minutes on a busy machine. */
const INSTALLED = 900_000;
/** Bytes: the program, its plugin and the pages about them. OpenCode itself would be 200 MB. */
const LARGEST_PACKAGE = 1_500_000;

let folder: string;
let packed: { readonly filename: string; readonly size: number };
let installed: string;
let daemon: ThrowawayDaemon;

/** Packs what `npm publish` would, and lets npm install it in a folder of its own, as on a user's machine. */
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "opencode-prune-package-")));
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: ROOT,
  });
  [packed] = JSON.parse(stdout);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await npm("install", `./${packed.filename}`, "--prefer-offline", "--no-audit", "--no-fund");
  installed = join(folder, "node_modules", "opencode-prune");
  daemon = await startThrowawayDaemon({ binary: await requireRuntime() });
}, INSTALLED);

afterAll(async () => {
  await daemon?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** In the folder, with the user's own settings: they may name a mirror, or where Node's headers are. */
const npm = (...args: string[]) => run("npm", [...args, "--prefix", folder], { cwd: folder });

const executable = () => join(folder, "node_modules", ".bin", "opencode-prune");

/** Starts it as a shell does that has `node_modules/.bin` on its path: by the file's own first line. */
const program = (...args: string[]) =>
  run(executable(), [...args, "--server", daemon.url], { env: daemon.environment, cwd: folder });

async function filesOf(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

describe("the package", () => {
  it("holds what a user runs and reads, and nothing else", async () => {
    const files = await filesOf(installed);
    const unexpected = files.filter(
      (file) =>
        !/^(package\.json|README\.md|LICENSE|docs\/.+\.(md|svg|json)|dist\/cli\.js|dist\/licenses\.txt|dist\/plugin\/[a-z]+\.(js|json))$/.test(
          file,
        ),
    );
    expect(unexpected).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/cli.js", "dist/plugin/index.js", "README.md", "LICENSE"]),
    );
    const licenses = await readFile(join(installed, "dist/licenses.txt"), "utf8");
    expect(licenses).toMatch(/^ink \d.*\n\nMIT License/m);
    expect(licenses).toMatch(/^zod \d/m);
    expect(packed.size).toBeLessThan(LARGEST_PACKAGE);
  });

  it("brings what npm has to compile, and no package that is in its bundle or only tests need", async () => {
    await npm("ls", "--all");
    const modules = await readdir(join(folder, "node_modules"));
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3"]);
    expect(modules).not.toContain("@opencode");
    for (const name of Object.keys(manifest.devDependencies)) {
      expect(await stat(join(folder, "node_modules", name)).catch(() => "absent"), name).toBe("absent");
    }
    expect(await realpath(join(folder, "node_modules", "better-sqlite3"))).toBe(
      join(folder, "node_modules", "better-sqlite3"),
    );
  });

  it("works where it was installed: the commands, and the plugin that it brings", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect((await program("--version")).stdout).toBe(`${version}\n`);
    expect((await program("plugin", "install")).stdout).toContain("and it answers");
    const status = JSON.parse((await program("plugin", "status", "--json")).stdout);
    expect(status).toMatchObject({ installed: { content: "same", version }, bundled: { version } });
    const brought = await filesOf(join(installed, "dist", "plugin"));
    expect(brought).toContain("index.js");
    for (const file of brought) {
      const copy = await readFile(join(status.folder, file));
      expect(copy.equals(await readFile(join(installed, "dist", "plugin", file))), file).toBe(true);
    }
    expect(JSON.parse((await program("sessions", "--json")).stdout)).toMatchObject({ sessions: [] });
    const report = JSON.parse((await program("doctor", "--json")).stdout);
    expect(report.checks).toContainEqual(expect.objectContaining({ name: "SQLite", status: "ok" }));
    expect((await program("plugin", "remove")).stdout).toContain("receipts");
  });

  it("opens the app, which keeps its cache through the database that npm compiled", async () => {
    await program("plugin", "install");
    const terminal = openTerminal({
      program: { file: executable(), arguments: ["--server", daemon.url] },
      environment: daemon.environment,
      folder,
    });
    try {
      await terminal.until("cache: kept", 60_000);
      await terminal.press("q");
      expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    } finally {
      await terminal.close();
    }
    const report = JSON.parse((await program("doctor", "--json")).stdout);
    expect(report.checks).toContainEqual(
      expect.objectContaining({ name: "cache", status: "ok", detail: expect.stringMatching(/^version \d/) }),
    );
  });
});
