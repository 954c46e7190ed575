import { dirname, sep } from "node:path";
import { PLUGIN_ID, PRUNING_RPC, PUBLISHED_PLUGIN_ID } from "../contract/index.ts";
import type { PluginState } from "../state/ports.ts";
import type { OpenCodeClient, PluginInfo } from "./client.ts";
import { RpcRefusedError, ServerError } from "./errors.ts";
import type { CallOptions } from "./http.ts";

export interface ObservedPlugins {
  /** Whether anybody serves the pruning RPC. */
  readonly answers: boolean;
  /** Our plugin, as the daemon knows it, the one in the folder first; absent when it does not. */
  readonly ours?: PluginInfo;
  /** The daemon knows the copy in the folder that was asked about, whether it could load it or not. */
  readonly isFromFolder: boolean;
  /** The folder of a copy of ours that the daemon runs, where it is another one. */
  readonly elsewhere?: string;
  readonly published?: PluginInfo;
  /** Ours then stands back. */
  readonly isPublishedActive: boolean;
}

/** No RPC has this method: whoever serves the RPC refuses the method, and nothing is done. */
const NO_METHOD = "is-anybody-there";
/** Sessions whose folders are tried as locations, newest first. */
const NEWEST = 20;

export interface ObserveOptions extends CallOptions {
  /** The location to ask; without it the newest session's, since its services run already as a rule. */
  readonly directory?: string | undefined;
}

/** Asks one location of the daemon who serves the pruning RPC. Folders that do not exist any more are passed over. */
export async function observePlugins(
  client: OpenCodeClient,
  folder: string | undefined,
  { directory: asked, ...options }: ObserveOptions = {},
): Promise<ObservedPlugins> {
  if (asked !== undefined) return observeAt(client, { location: { directory: asked } }, folder, options);
  const { data: sessions } = await client.session.list({ limit: NEWEST }, options);
  const directories = new Set(sessions.map((session) => session.location.directory));
  for (const directory of directories) {
    try {
      return await observeAt(client, { location: { directory } }, folder, options);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }
  return observeAt(client, {}, folder, options);
}

async function observeAt(
  client: OpenCodeClient,
  at: { readonly location?: { readonly directory: string } },
  folder: string | undefined,
  options: CallOptions,
): Promise<ObservedPlugins> {
  // The RPC first: it waits until the location's plugins are loaded, the list does not.
  const answers = await serves(client, at, options);
  const { data } = await client.plugin.list(at, options);
  const isFromFolder = ({ source }: PluginInfo) =>
    folder !== undefined && source.path?.startsWith(folder + sep) === true;
  const fromFolder = data.find(isFromFolder);
  const ours = fromFolder ?? data.find(({ id }) => id === PLUGIN_ID);
  // The daemon takes an id once: of two copies it runs one, and the other fails to load.
  const elsewhere = data.find((one) => one.id === PLUGIN_ID && isActive(one) && !isFromFolder(one));
  const published = data.find(({ id }) => id === PUBLISHED_PLUGIN_ID);
  return {
    answers,
    isFromFolder: fromFolder !== undefined,
    isPublishedActive: published !== undefined && isActive(published),
    ...(ours ? { ours } : {}),
    ...(elsewhere?.source.path === undefined ? {} : { elsewhere: dirname(elsewhere.source.path) }),
    ...(published ? { published } : {}),
  };
}

function isActive({ state }: PluginInfo): boolean {
  return state.status === "active";
}

async function serves(
  client: OpenCodeClient,
  at: { readonly location?: { readonly directory: string } },
  options: CallOptions,
): Promise<boolean> {
  try {
    await client.rpc.call({ ...at, rpcID: PRUNING_RPC, method: NO_METHOD, input: {} }, options);
    return true;
  } catch (error) {
    if (error instanceof RpcRefusedError) return error.type !== "rpc.unavailable";
    throw error;
  }
}

/** What that means for whoever wants to prune. */
export function pluginState(observed: ObservedPlugins): PluginState {
  const { answers, ours, elsewhere, published, isPublishedActive } = observed;
  const failure = ours && failureOf(ours);
  if (failure !== undefined && elsewhere === undefined) {
    return { state: "failed", problem: `OpenCode could not load the plugin (${failure}); install it again.` };
  }
  if (!answers) return { state: "missing" };
  // Where both are, ours stands back while the published one is active.
  const isTheirs = published !== undefined && (ours === undefined || isPublishedActive);
  return { state: "ready", provider: isTheirs ? "published" : "ours" };
}

function failureOf(plugin: PluginInfo): string | undefined {
  if (plugin.state.status !== "failed") return undefined;
  return plugin.state.error?.split("\n", 1)[0]?.slice(0, 200) ?? "no reason given";
}
