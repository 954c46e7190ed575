import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A throwaway OpenCode daemon in a home of its own, on loopback. The demo and the tests use it; it never sees
 * a user's daemon, database or home.
 */
export interface ThrowawayDaemon {
  readonly url: string;
  readonly port: number;
  readonly password: string;
  readonly pid: number;
  /** The folder that holds everything of it. */
  readonly home: string;
  /** Absolute path of its database. */
  readonly database: string;
  /** The global configuration folder of it (`plugins/` lies in it). */
  readonly configuration: string;
  /** Environment for a program that should find this daemon and nothing of the user's. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the process (default SIGTERM, then SIGKILL) and keeps the folder. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and folder after `stop`. */
  start(): Promise<void>;
  /** Ends the process and removes the folder. */
  remove(): Promise<void>;
}

export interface DaemonOptions {
  readonly binary: string;
  /** `OPENCODE_CONFIG_CONTENT`: a whole configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** More variables for the daemon's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the home is made; a fresh folder below it. */
  readonly parent?: string;
}

const START_LIMIT = 60_000;
const STOP_LIMIT = 5_000;

export async function startThrowawayDaemon(options: DaemonOptions): Promise<ThrowawayDaemon> {
  const home = await mkdtemp(join(options.parent ?? tmpdir(), "opencode-prune-"));
  const password = randomBytes(18).toString("base64url");
  const folders = {
    data: join(home, "data"),
    config: join(home, "config"),
    state: join(home, "state"),
    cache: join(home, "cache"),
  };
  for (const folder of [join(home, "home"), ...Object.values(folders)])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = join(folders.data, "opencode.db");
  const environment: NodeJS.ProcessEnv = {
    ...withoutUserSettings(process.env),
    HOME: join(home, "home"),
    XDG_DATA_HOME: folders.data,
    XDG_CONFIG_HOME: folders.config,
    XDG_STATE_HOME: folders.state,
    XDG_CACHE_HOME: folders.cache,
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_DB: database,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    ...(options.config ? { OPENCODE_CONFIG_CONTENT: JSON.stringify(options.config) } : {}),
    ...options.environment,
  };

  let child: ChildProcess | undefined;
  let port = 0;

  const start = async () => {
    const started = spawn(options.binary, ["serve", "--hostname", "127.0.0.1", "--port", String(port)], {
      cwd: home,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    port = await listeningPort(started);
  };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    const ending = child;
    child = undefined;
    if (ending) await end(ending, signal);
  };
  const remove = async () => {
    await stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };

  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    password,
    home,
    database,
    configuration: join(folders.config, "opencode"),
    environment,
    stop,
    start,
    remove,
  };
}

function withoutUserSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith("OPENCODE_") && !name.startsWith("XDG_")),
  );
}

/** Waits for the line that says where the daemon listens; the rest of its output is read and dropped. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = "";
    const limit = setTimeout(() => fail("said nothing within a minute"), START_LIMIT);
    const fail = (why: string) => {
      clearTimeout(limit);
      child.kill("SIGKILL");
      reject(new Error(`The throwaway OpenCode daemon did not start: it ${why}.`));
    };
    const read = (chunk: Buffer) => {
      if (output === "done") return;
      output += chunk.toString("utf8");
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output);
      if (!found) return;
      output = "done";
      clearTimeout(limit);
      resolve(Number(found[1]));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", () => fail("could not be executed"));
    child.once("exit", (code) => fail(`ended with code ${code}: ${output.trim().split("\n").at(-1) ?? ""}`));
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT);
    child.once("exit", () => {
      clearTimeout(limit);
      resolve();
    });
    child.kill(signal);
  });
}
