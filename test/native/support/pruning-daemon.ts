import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { PRUNING_RPC } from "../../../src/contract/index.ts";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../../src/demo/daemon.ts";
import { findRuntime } from "../../../src/demo/runtime.ts";

/** A real daemon with this working tree's plugin, and the few calls that the tests make of it. */
export interface PruningDaemon {
  readonly daemon: ThrowawayDaemon;
  /** A folder that sessions live in. */
  readonly directory: string;
  /** Any HTTP call; throws nothing, whatever the status. */
  request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<HttpAnswer>;
  rpc(method: string, input: unknown, options?: RpcOptions): Promise<HttpAnswer>;
  importSession(sessionID: string, messages: readonly unknown[], directory?: string): Promise<void>;
  message(sessionID: string, messageID: string): Promise<NativeMessage>;
  remove(): Promise<void>;
}

export interface RpcOptions {
  readonly directory?: string;
  readonly rpcID?: string;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** The parsed body, of whatever shape it is. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly body: any;
}

export interface NativeMessage {
  readonly id: string;
  readonly type: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

export interface PruningDaemonOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly unknown[];
  /** Another entry to bundle than the plugin's own. */
  readonly entry?: string;
  /** The project's folder, where this file does not lie in it. */
  readonly root?: string;
  /** Where the daemon's home is made. */
  readonly parent?: string;
}

const here = fileURLToPath(new URL("../../..", import.meta.url));

/** Bundles the plugin from source into a fresh folder, as `npm run build` does into `dist/plugin`. */
export async function bundlePlugin(entry = "src/plugin/index.ts", root = here): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "opencode-prune-plugin-"));
  await build({
    absWorkingDir: root,
    entryPoints: { index: entry, worker: "src/plugin/worker.ts" },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
  });
  return folder;
}

export async function requireRuntime(): Promise<string> {
  const found = await findRuntime();
  if ("missing" in found) throw new Error(found.missing);
  return found.binary;
}

export async function startPruningDaemon(options: PruningDaemonOptions = {}): Promise<PruningDaemon> {
  const plugin = await bundlePlugin(options.entry, options.root);
  const daemon = await startThrowawayDaemon({
    ...(options.parent === undefined ? {} : { parent: options.parent }),
    binary: await requireRuntime(),
    config: {
      ...options.config,
      plugins: [{ package: plugin, options: options.pluginOptions ?? {} }, ...(options.plugins ?? [])],
    },
  });
  const directory = join(daemon.home, "project");
  await mkdir(directory, { recursive: true });
  const authorization = `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`;

  const request: PruningDaemon["request"] = async (method, path, body, signal) => {
    const answer = await fetch(daemon.url + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const rpc: PruningDaemon["rpc"] = (method, input, { directory: at = directory, rpcID, signal } = {}) =>
    request(
      "POST",
      `/api/rpc/${rpcID ?? PRUNING_RPC}/${method}?location[directory]=${encodeURIComponent(at)}`,
      { input },
      signal,
    );

  const importSession: PruningDaemon["importSession"] = async (sessionID, messages, at = directory) => {
    const answer = await request("POST", "/api/experimental/session/import", {
      info: {
        id: sessionID,
        projectID: "global",
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 1_700_000_000_000, updated: 1_700_000_000_000 },
        title: sessionID,
        location: { directory: at },
      },
      messages,
      location: { directory: at },
    });
    if (answer.status !== 200)
      throw new Error(`The import answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };

  const pruning: PruningDaemon = {
    daemon,
    directory,
    request,
    rpc,
    importSession,
    message: async (sessionID, messageID) =>
      (await request("GET", `/api/session/${sessionID}/message/${messageID}`)).body.data,
    remove: async () => {
      await daemon.remove();
      await rm(plugin, { recursive: true, force: true });
    },
  };
  await untilRpcAnswers(pruning);
  return pruning;
}

async function untilRpcAnswers(pruning: PruningDaemon): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await pruning.rpc("preview", { sessionID: "ses_none", messageID: "msg_none" });
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await pruning.remove();
  throw new Error("The plugin's RPC did not answer within ten seconds.");
}
