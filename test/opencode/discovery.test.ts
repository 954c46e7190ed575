import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkRegistration, DiscoveryError, readServiceFile, serviceFile } from "../../src/opencode/index.ts";
import { type FakeServer, sendJson, startFakeServer } from "./support/fake-server.ts";

const registration = {
  id: "1",
  version: "2.0.15",
  url: "http://127.0.0.1:9",
  pid: 17,
  password: "hunter2",
};
let folder: string;
let path: string;
let server: FakeServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opencode-prune-discovery-"));
  path = join(folder, "service.json");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await server?.close();
  server = undefined;
});

const write = (text: string) => writeFile(path, text, { mode: 0o600 });

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DiscoveryError);
  expect(String(error)).toContain(path);
  expect(String(error)).not.toContain("hunter2");
  return String(error);
}

describe("where the service file is", () => {
  it("follows XDG_STATE_HOME, else the home", () => {
    expect(serviceFile({ XDG_STATE_HOME: "/state", HOME: "/home/me" })).toBe("/state/opencode/service.json");
    expect(serviceFile({ XDG_STATE_HOME: "", HOME: "/home/me" })).toBe(
      "/home/me/.local/state/opencode/service.json",
    );
  });
});

describe("reading the service file", () => {
  it("gives what it says", async () => {
    await write(JSON.stringify(registration));
    expect(await readServiceFile(path)).toEqual(registration);
  });

  it("says that no service runs when it is absent", async () => {
    expect(await problemOf(readServiceFile(path))).toContain("No OpenCode service runs");
  });

  it("says that it is damaged, and where", async () => {
    await write('{"password":"hunter2"');
    expect(await problemOf(readServiceFile(path))).toContain("is not JSON");
    await write(JSON.stringify({ ...registration, pid: "hunter2" }));
    expect(await problemOf(readServiceFile(path))).toContain("damaged at pid");
  });

  it.skipIf(process.platform === "win32")("refuses one that other users can read or change", async () => {
    await write(JSON.stringify(registration));
    for (const mode of [0o640, 0o604, 0o602]) {
      await chmod(path, mode);
      expect(await problemOf(readServiceFile(path))).toContain("other users");
    }
  });
});

describe("checking the service that the file names", () => {
  const serving = async (info: object, status = 200) => {
    server = await startFakeServer((_, response) => sendJson(response, info, status));
    return { ...registration, url: server.url };
  };
  const info = { version: "2.0.15", pid: 17, urls: [], paths: {} };

  it("takes the one with the same pid and version", async () => {
    const named = await serving(info);
    const checked = await checkRegistration(path, named, { timeout: 2_000 });
    expect(checked).toMatchObject({ pid: 17 });
  });

  it.each([
    ["another pid", { ...info, pid: 18 }, 200],
    ["another version", { ...info, version: "2.0.16" }, 200],
    ["another password", {}, 401],
  ])("refuses one with %s", async (_, answer, status) => {
    const named = await serving(answer, status);
    const problem = await problemOf(checkRegistration(path, named, { timeout: 2_000 }));
    expect(problem).toContain("out of date");
  });

  it("says that the service is dead when nobody listens", async () => {
    const named = await serving(info);
    await server?.close();
    const problem = await problemOf(checkRegistration(path, named, { timeout: 2_000 }));
    expect(problem).toContain("cannot be reached (connection refused)");
  });
});
