import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/index.ts";
import { createPluginLifecycle } from "../../../src/opencode/index.ts";
import { BUILT_PLUGIN } from "../support/native.ts";
import { requireRuntime } from "../support/pruning-daemon.ts";
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
  await command("remove");
  expect(await readdir(join(daemon.configuration, "plugins")).catch(() => [])).toEqual([]);
});

const command = (name: string) => runCli(["plugin", name, "--server", daemon.url], daemon.environment);

async function previewAnswer(): Promise<unknown> {
  const input = { sessionID: "ses_none", messageID: "msg_none" };
  const call = { rpcID: "codenomad.session-pruning", method: "preview", input };
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
    expect((await readdir(folder)).sort()).toEqual((await readdir(BUILT_PLUGIN)).sort());
    expect(await command("status")).toMatchObject({ code: 0, stderr: "" });

    expect(await command("remove")).toMatchObject({ code: 0, stderr: "" });
    expect(await previewAnswer()).toBe("rpc.unavailable");
    expect(await command("status")).toMatchObject({ code: 1 });
    expect((await command("remove")).stdout).toContain("nothing was removed");
  });

  it("is installed a second time without a change", async () => {
    await command("install");
    expect(await command("install")).toMatchObject({ code: 0 });
    expect(await previewAnswer()).toMatchObject({ status: "blocked" });
  });

  it("replaces another version of itself", async () => {
    await command("install");
    await writeFile(join(folder, "index.js"), "export default { id: 'opencode-prune', setup() {} }");
    expect(await command("install")).toMatchObject({ code: 0 });
    expect(await previewAnswer()).toMatchObject({ status: "blocked" });
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
});
