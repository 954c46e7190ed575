import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/index.ts";
import { requireRuntime } from "../support/pruning-daemon.ts";
import { runCli } from "../support/run-cli.ts";

const run = promisify(execFile);

let binary: string;
let daemon: ThrowawayDaemon;

beforeAll(async () => {
  binary = await requireRuntime();
  daemon = await startThrowawayDaemon({ binary });
});

afterAll(() => daemon?.remove());

/** Runs a command that must fail, and gives its one sentence. */
async function sentenceOf(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = daemon.environment,
  code = 1,
): Promise<string> {
  const result = await runCli(args, environment);
  expect(result.stderr).toMatch(/^[^\n]+; [^\n]+\.\n$/);
  expect(result.stderr).not.toMatch(/\bat .*:\d+:\d+|Error:/);
  expect(result.stderr + result.stdout).not.toContain(daemon.password);
  expect(result.stdout).toBe("");
  expect(result.code).toBe(code);
  return result.stderr;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a command line that cannot work", () => {
  it("names an unknown option, command or missing argument", async () => {
    expect(await sentenceOf(["sessions", "--frob"], {}, 2)).toContain("Unknown option '--frob'");
    expect(await sentenceOf(["frob"], {}, 2)).toContain("Unknown command 'frob'");
    expect(await sentenceOf(["plugin", "frob"], {}, 2)).toContain("Unknown command 'frob'");
    expect(await sentenceOf(["parts"], {}, 2)).toContain("Missing required argument 'session'");
  });

  it("names what is wrong with a filter, or with what a prune is asked for", async () => {
    const refused = async (...args: string[]) => sentenceOf(["prune", ...args], {}, 2);
    expect(await refused("ses_1", "--min-size", "much")).toContain("Write a size like 900, 50k or 1.5MB");
    expect(await refused("ses_1", "--older-than", "6m")).toContain("Write an age like 30min, 12h, 14d or 6w");
    expect(await refused("ses_1", "--keep-last", "-1")).toContain("Write a whole number");
    expect(await refused("ses_1", "--tool")).toContain("argument missing");
    expect(await refused()).toContain("No session is named; give its id, or say --all-sessions");
    expect(await refused("--tool", "read", "ses_1")).toContain("put its id before --tool");
    expect(await refused("ses_1", "--all-sessions")).toContain("Both a session and --all-sessions");
    expect(await refused("ses_1", "--dry-run", "--yes")).toContain("exclude each other");
    expect(await refused("ses_1", "ses_2")).toContain("Too many arguments");
  });

  it("says that there is no terminal, and names the commands that need none", async () => {
    const sentence = await sentenceOf([], daemon.environment);
    expect(sentence).toMatch(/needs a terminal and this is none; use .*sessions.*parts.*prune.*watch/);
  });

  it("refuses an address that is none, or that would show the password to others", async () => {
    expect(await sentenceOf(["sessions", "--server", "nonsense"])).toContain('"nonsense" is not the address');
    expect(await sentenceOf(["sessions", "--server", "http://192.0.2.1:4096"])).toContain("--insecure");
    const withCredentials = `http://opencode:${daemon.password}@127.0.0.1:${daemon.port}`;
    expect(await sentenceOf(["sessions", "--server", withCredentials])).toContain(
      "set OPENCODE_SERVER_PASSWORD",
    );
  });
});

describe("a server that cannot be used", () => {
  it("is told apart: nobody, a wrong password, no password", async () => {
    const nobody = createSocketServer();
    const url = await listening(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    expect(await sentenceOf(["sessions", "--server", url])).toContain("(connection refused)");
    const wrong = { ...daemon.environment, OPENCODE_SERVER_PASSWORD: "wrong" };
    expect(await sentenceOf(["sessions", "--server", daemon.url], wrong)).toContain("refused the password");
    const { OPENCODE_SERVER_PASSWORD, ...none } = daemon.environment;
    expect(OPENCODE_SERVER_PASSWORD).toBe(daemon.password);
    expect(await sentenceOf(["sessions", "--server", daemon.url], none)).toContain("refused the password");
  });

  it.each([
    ["a web page", 200, "<!doctype html>"],
    ["another API", 200, '{"ok":true}'],
    ["nothing at that path", 404, "Not Found"],
  ])("is no OpenCode 2 when it serves %s", async (_, status, body) => {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(body);
    });
    const url = await listening(server);
    expect(await sentenceOf(["sessions", "--server", url])).toContain(
      `What answers at ${url} is not an OpenCode 2 server`,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("is said not to speak HTTP when it does not", async () => {
    const server = createSocketServer((socket) => {
      socket
        .on("error", () => {})
        .resume()
        .end("SSH-2.0-OpenSSH_9.9\r\n");
    });
    const url = await listening(server);
    expect(await sentenceOf(["sessions", "--server", url])).toContain("(it does not speak HTTP)");
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("a session that is not there", () => {
  it.each(["ses_none", "nonsense", "..", "ses/../../api"])("is named: %s", async (session) => {
    for (const command of [["parts"], ["prune", "--yes"]]) {
      const sentence = await sentenceOf([...command, session, "--server", daemon.url]);
      expect(sentence).toContain(`There is no session ${session}; list them with`);
    }
  });
});

describe("the background service", () => {
  it("is found while it runs, and missed in plain words when it was never started, died or was damaged", async () => {
    const home = await startThrowawayDaemon({ binary });
    const { OPENCODE_SERVER_PASSWORD: _, ...environment } = home.environment;
    const file = join(environment.XDG_STATE_HOME ?? "", "opencode", "service.json");
    await home.stop();
    let service = 0;
    try {
      expect(await sentenceOf(["sessions"], environment)).toContain(`(${file} does not exist)`);

      await run(binary, ["service", "start"], { env: environment, cwd: home.home });
      const registration = JSON.parse(await readFile(file, "utf8"));
      service = registration.pid;
      expect(await runCli(["sessions"], environment)).toMatchObject({ code: 0, stderr: "" });

      await end(service);
      expect(await sentenceOf(["sessions"], environment)).toMatch(/service file .* cannot be reached/);

      await writeFile(file, JSON.stringify({ ...registration, url: daemon.url, password: daemon.password }));
      expect(await sentenceOf(["sessions"], environment)).toContain("another server answers");

      await writeFile(file, '{"password":');
      expect(await sentenceOf(["sessions"], environment)).toContain("is not JSON");
    } finally {
      if (service !== 0) await end(service);
      await home.remove();
    }
  });
});

/** Kills a process, also when it is gone already, and waits until it is. */
async function end(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
