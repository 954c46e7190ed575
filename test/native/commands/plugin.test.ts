import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/index.ts";
import { changePlugin, createPluginLifecycle, createPluginPort } from "../../../src/opencode/index.ts";
import { BUILT_PLUGIN } from "../support/native.ts";
import { requireRuntime } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { PUBLISHED_PLUGIN } from "../support/published-plugin.ts";
import { runCli } from "../support/run-cli.ts";

let daemon: ThrowawayDaemon;
let client: OpenCodeClient;
let folder: string;

beforeAll(async () => {
  daemon = await startThrowawayDaemon({ binary: await requireRuntime() });
  client = OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password) });
  folder = join(daemon.configuration, "plugins", "opencode-prune");
});

afterAll(() => daemon?.remove());

beforeEach(async () => {
  await command("remove", "--force");
  expect(await readdir(join(daemon.configuration, "plugins")).catch(() => [])).toEqual([]);
});

const command = (name: string, ...flags: string[]) =>
  runCli(["plugin", name, "--server", daemon.url, ...flags], daemon.environment);

const told = async (name: string, ...flags: string[]) =>
  publishedDocument("plugin", (await command(name, "--json", ...flags)).stdout);

async function waitFor<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function previewAnswer(directory?: string): Promise<unknown> {
  const input = { sessionID: "ses_none", messageID: "msg_none" };
  const location = directory === undefined ? {} : { location: { directory } };
  const call = { rpcID: "codenomad.session-pruning", method: "preview", input, ...location };
  return client.rpc.call(call).then(
    ({ output }) => output,
    (error: { type?: string }) => error.type,
  );
}

describe("the plugin's life on a running daemon", () => {
  it("is missing, installed without a restart, and removed again", async () => {
    expect(await command("status")).toMatchObject({ code: 1, stdout: "" });
    expect(await previewAnswer()).toBe("rpc.unavailable");

    const installed = await command("install");
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(installed.stdout).toContain(folder);
    expect(await previewAnswer()).toEqual({ status: "blocked", reason: "not_deletable" });
    expect((await readdir(folder)).sort()).toEqual(
      [...(await readdir(BUILT_PLUGIN)), "installed.json"].sort(),
    );
    expect(await command("status")).toMatchObject({ code: 0, stderr: "" });

    expect(await command("remove")).toMatchObject({ code: 0, stderr: "" });
    expect(await readdir(daemon.configuration)).toEqual([]);
    expect(await previewAnswer()).toBe("rpc.unavailable");
    expect(await command("status")).toMatchObject({ code: 1 });
    expect((await command("remove")).stdout).toContain("nothing was removed");
  });

  it("is installed a second time without a change", async () => {
    await command("install");
    expect(await command("install")).toMatchObject({ code: 0 });
    expect(await previewAnswer()).toMatchObject({ status: "blocked" });
  });

  it("is updated where another version put it, and told so before", async () => {
    await command("install");
    const other = await mkdtemp(join(daemon.home, "other-"));
    await cp(BUILT_PLUGIN, other, { recursive: true });
    const manifest = JSON.parse(await readFile(join(other, "package.json"), "utf8"));
    await writeFile(join(other, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
    await createPluginLifecycle({ client, source: other }).install();

    expect((await command("status")).stdout).toMatch(/another version \(0\.0\.1\) .*plugin update/);
    expect(await told("status")).toMatchObject({
      installed: { content: "other_version", version: "0.0.1" },
      answers: true,
    });
    expect(await told("update")).toMatchObject({ action: "updated", installed: { content: "same" } });
    expect(await told("update")).toMatchObject({ action: "none" });
    expect(await previewAnswer()).toMatchObject({ status: "blocked" });
  });

  it("is not updated where it is not installed", async () => {
    expect(await command("update")).toMatchObject({ code: 1, stdout: "" });
    expect((await command("update")).stderr).toContain("is not installed in");
  });

  it("keeps what somebody changed, until it is forced", async () => {
    await command("install");
    const mine = `${await readFile(join(folder, "index.js"), "utf8")}\n// mine`;
    await writeFile(join(folder, "index.js"), mine);
    for (const name of ["install", "update", "remove"]) {
      const result = await command(name);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toContain("was changed since it was installed, and stays as it is");
    }
    expect(await readFile(join(folder, "index.js"), "utf8")).toBe(mine);
    await writeFile(join(folder, "notes.txt"), "mine, too");
    await rm(join(folder, "tui.js"));
    expect((await command("status")).stdout).toContain(
      "It was changed since it was installed (index.js, notes.txt, tui.js); `opencode-prune plugin update --force` puts the original back.",
    );
    expect(await told("status")).toMatchObject({ installed: { content: "changed" } });
    expect(await told("update", "--force")).toMatchObject({
      action: "updated",
      installed: { content: "same" },
    });
    expect(await previewAnswer()).toMatchObject({ status: "blocked" });
  });

  it("loses to an agreement only the very copy that was agreed to", async () => {
    const plugin = createPluginLifecycle({ client, source: BUILT_PLUGIN });
    await plugin.install();
    await writeFile(join(folder, "notes.txt"), "seen");
    const { installed } = await plugin.inspect();
    const agreed = installed.copy?.hash;
    await writeFile(join(folder, "notes.txt"), "written after it was looked at");
    for (const change of ["install", "update", "remove"] as const) {
      await expect(changePlugin(plugin, change, { agreed })).rejects.toThrow("stays as it is");
    }
    await writeFile(join(folder, "notes.txt"), "seen");
    expect(await changePlugin(plugin, "update", { agreed })).toMatchObject({
      action: "updated",
      inspection: { installed: { content: "same" }, state: { state: "ready" } },
    });
  });

  it("is there after an update that was interrupted", async () => {
    const plugin = createPluginLifecycle({ client, source: BUILT_PLUGIN });
    await plugin.install();
    await writeFile(join(folder, "notes.txt"), "mine");
    const stop = new AbortController();
    const updated = plugin.install(stop.signal, { force: true }).catch((error: Error) => error.name);
    while (existsSync(folder)) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await updated).toBe("AbortedError");
    expect(await told("status")).toMatchObject({ installed: { content: "same" } });
    await waitFor(
      () => previewAnswer(),
      (answer) => answer !== "rpc.unavailable",
    );
  });

  it("is there for one project alone, and leaves nothing in it", async () => {
    const project = join(daemon.user, "one");
    const another = join(daemon.user, "another");
    for (const directory of [project, another]) {
      await mkdir(directory, { recursive: true });
      await promisify(execFile)("git", ["init", "--quiet", directory]);
      // The daemon has loaded what there was for the project before anything is installed.
      expect(await previewAnswer(directory)).toBe("rpc.unavailable");
    }
    const installed = await command("install", "--project", project);
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(installed.stdout).toContain(join(project, ".opencode", "plugins", "opencode-prune"));
    expect(await previewAnswer(project)).toMatchObject({ status: "blocked" });
    expect(await previewAnswer(another)).toBe("rpc.unavailable");
    expect(await told("status", "--project", project)).toMatchObject({ answers: true, provider: "ours" });
    expect(await told("status", "--project", another)).toMatchObject({ answers: false });
    expect((await command("remove", "--project", project)).stdout).toContain(
      "receipts of what was pruned stay",
    );
    expect(await previewAnswer(project)).toBe("rpc.unavailable");
    expect(await readdir(project)).toEqual([".git"]);
  });

  it("is not put into a project where OpenCode runs another copy, and says which of two runs", async () => {
    const project = join(daemon.user, "both");
    const below = join(project, "packages", "api");
    await mkdir(below, { recursive: true });
    await promisify(execFile)("git", ["init", "--quiet", project]);
    await command("install", "--project", project);
    const port = createPluginPort({ client, source: BUILT_PLUGIN });
    // A session may live below the root of its project.
    expect(await port.inspect({ directory: below })).toMatchObject({
      project,
      folder: join(project, ".opencode", "plugins", "opencode-prune"),
      installed: { content: "same" },
      observed: { answers: true, isFromFolder: true },
    });

    await command("install");
    await waitFor(
      () => told("status", "--project", project),
      ({ provider }) => provider === "ours",
    );
    const both = (await command("status", "--project", project)).stdout;
    expect(both).toContain(`The plugin answers; OpenCode loads it from ${folder}.`);
    expect(both).toMatch(/The one in \S+both\S+ is not needed: OpenCode runs only one of the two\./);

    expect((await command("remove", "--project", project)).stdout).toContain(
      `Another copy of it still answers: OpenCode loads it from ${folder}.`,
    );
    const refused = await command("install", "--project", project);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`The plugin answers in this project already, from ${folder}`);
    expect(await readdir(project)).not.toContain(".opencode");
  });

  it("explains the published plugin beside it", async () => {
    const published = join(daemon.configuration, "plugins", "published");
    await mkdir(published, { recursive: true });
    await writeFile(join(published, "index.js"), PUBLISHED_PLUGIN);
    try {
      const before = await waitFor(
        () => told("status"),
        ({ provider }) => provider === "published",
      );
      expect(before).toMatchObject({
        answers: true,
        publishedActive: true,
        installed: { content: "absent" },
      });
      expect((await command("status")).stdout).toContain("The published session pruning plugin answers");
      expect(await command("install")).toMatchObject({ code: 0 });
      expect((await command("status")).stdout).toMatch(
        /published .* answers.*\n.*stands back while the published one/,
      );
      expect(await previewAnswer()).toEqual({ status: "blocked", reason: "unavailable" });
      expect((await command("remove")).stdout).toContain(
        "The published session pruning plugin still answers.",
      );
    } finally {
      await rm(published, { recursive: true });
      await waitFor(
        () => previewAnswer(),
        (answer) => answer === "rpc.unavailable",
      );
    }
  });

  it("does not touch what somebody else put in its place", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "notes.txt"), "mine");
    for (const name of ["install", "remove"]) {
      const result = await command(name);
      expect(result.code).toBe(1);
      expect(result.stderr).toMatch(/holds something that opencode-prune did not put there; move it away/);
    }
    expect(await readdir(folder)).toEqual(["notes.txt"]);
    await rm(folder, { recursive: true });
  });

  it("says why when the daemon cannot load it", async () => {
    const source = join(daemon.home, "broken");
    await mkdir(source);
    await writeFile(join(source, "package.json"), '{"name":"opencode-prune-plugin","main":"./index.js"}');
    await writeFile(
      join(source, "index.js"),
      "export default { id: 'opencode-prune', setup() { throw new Error('out of luck') } }",
    );
    const state = await createPluginLifecycle({ client, source }).install();
    expect(state).toMatchObject({ state: "failed" });
    expect(state).toHaveProperty("problem", expect.stringContaining("out of luck"));
    const status = await command("status");
    expect(status.code).toBe(1);
    expect(status.stderr).toMatch(/could not load the plugin \(Error: out of luck\)/);
  });

  it("keeps what a folder's name would do to the terminal out of its lines", async () => {
    const project = join(daemon.user, "red \u001b[31m\u0007 project");
    await mkdir(project, { recursive: true });
    for (const name of ["install", "status", "remove"]) {
      const { code, stdout, stderr } = await command(name, "--project", project);
      expect(code).toBe(0);
      expect(stdout).toContain("red ␛");
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007]/);
    }
  });
});
