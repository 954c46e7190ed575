import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolate } from "./isolation.ts";
import { type SupervisedProcess, supervise } from "./supervisor.ts";

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
  /** The folder in it that is its user's home; projects go here. */
  readonly user: string;
  /** Absolute path of its database. */
  readonly database: string;
  /** The global configuration folder of it (`plugins/` lies in it). */
  readonly configuration: string;
  /** Environment of the daemon: a program that gets it finds this daemon and nothing of the user's. */
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
  /** `OPENCODE_CONFIG_CONTENT`: a whole configuration, or what makes one once the home is there. */
  readonly config?: Configuration | ((home: string) => Configuration | Promise<Configuration>);
  /** More variables for the daemon's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the home is made; a fresh folder below it. */
  readonly parent?: string;
}

type Configuration = Readonly<Record<string, unknown>>;

const START_LIMIT = 60_000;

export async function startThrowawayDaemon(options: DaemonOptions): Promise<ThrowawayDaemon> {
  const home = await mkdtemp(join(options.parent ?? tmpdir(), "opencode-prune-"));
  const password = randomBytes(18).toString("base64url");
  const isolation = await isolate(home);
  const database = join(isolation.data, "opencode.db");
  const config = typeof options.config === "function" ? await options.config(home) : options.config;
  const environment: NodeJS.ProcessEnv = {
    ...isolation.environment,
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_DB: database,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    ...(config ? { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } : {}),
    ...options.environment,
  };

  let running: SupervisedProcess | undefined;
  let port = 0;

  const start = async () => {
    const started = await listen(options.binary, port, home, environment);
    running = started.process;
    port = started.port;
  };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    const ending = running;
    running = undefined;
    await ending?.end(signal);
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
      return running?.pid ?? 0;
    },
    password,
    home,
    user: isolation.user,
    database,
    configuration: join(isolation.config, "opencode"),
    environment,
    stop,
    start,
    remove,
  };
}

/** Starts the daemon and waits for the line that says where it listens; the rest of its output is dropped. */
async function listen(binary: string, port: number, home: string, environment: NodeJS.ProcessEnv) {
  let output: string | undefined = "";
  let found = (_port: number) => {};
  const listening = new Promise<number>((resolve) => {
    found = resolve;
  });
  const failure = (why: string) => new Error(`The throwaway OpenCode daemon did not start: ${why}.`);
  const process = await supervise({
    binary,
    arguments: ["serve", "--hostname", "127.0.0.1", "--port", String(port)],
    environment,
    folder: home,
    onOutput(text) {
      if (output === undefined) return;
      output += text;
      const line = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output);
      if (!line) return;
      output = undefined;
      found(Number(line[1]));
    },
  }).catch((error: Error) => {
    throw failure(error.message);
  });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    limit = setTimeout(resolve, START_LIMIT, "it said nothing within a minute");
  });
  const over = process.ended.then(() => `it ended: ${output?.trim().split("\n").at(-1) ?? ""}`);
  const outcome = await Promise.race([listening, late, over]);
  clearTimeout(limit);
  if (typeof outcome === "number") return { process, port: outcome };
  await process.end("SIGKILL");
  throw failure(outcome);
}
