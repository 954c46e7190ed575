import {
  FINGERPRINT_METHOD,
  HISTORY_METHOD,
  OUTLINE_METHOD,
  PREVIEW_METHOD,
  PRUNE_BATCH_METHOD,
  PRUNE_BULK_METHOD,
  PRUNE_METHOD,
  PRUNING_RPC,
  READING_RPC,
  USAGE_METHOD,
} from "../../contract/index.ts";
import {
  createPluginLifecycle,
  type OpenCodeClient,
  OpenCodeError,
  RpcRefusedError,
  ServerError,
} from "../../opencode/index.ts";
import { bundledPlugin } from "../bundled-plugin.ts";
import { pluginLines } from "../plugin-lines.ts";
import { type Area, findingOf } from "./check.ts";

/** The plugin, its files, and what it answers to. */
export async function checkPlugin(
  area: Area,
  client: OpenCodeClient,
  directory: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    const inspection = await createPluginLifecycle({ client, source: bundledPlugin() }).inspect(signal);
    const [line = "", ...more] = pluginLines(inspection, undefined);
    if (inspection.state.state !== "ready") {
      const { detail, todo } = findingOf(new Error(line));
      area.fail("plugin", detail, [todo, ...more].join(". "));
    } else if (more.length > 0) area.warn("plugin", line, more.join(" "));
    else area.ok("plugin", line);
    if (inspection.observed.answers) await checkMethods(area, client, directory, signal);
  } catch (error) {
    if (!(error instanceof OpenCodeError) || signal.aborted) throw error;
    const { detail, todo } = error instanceof ServerError ? UNUSABLE_FOLDER : findingOf(error);
    area.fail("plugin", detail, todo);
  }
}

/** What a location answers where OpenCode cannot start in its folder. Which one it is, is private. */
const UNUSABLE_FOLDER = {
  detail: "OpenCode cannot work in the session's folder, so no plugin can be asked there",
  todo: "usually the folder is gone: create it again on the server's machine, and ask again",
};

/** Methods that pruning cannot do without, and methods that make it faster. */
const METHODS = [
  { rpcID: PRUNING_RPC, method: PREVIEW_METHOD, isNeeded: true },
  { rpcID: PRUNING_RPC, method: PRUNE_METHOD, isNeeded: true },
  { rpcID: PRUNING_RPC, method: HISTORY_METHOD, isNeeded: false },
  { rpcID: PRUNING_RPC, method: PRUNE_BATCH_METHOD, isNeeded: false },
  { rpcID: PRUNING_RPC, method: PRUNE_BULK_METHOD, isNeeded: false },
  { rpcID: READING_RPC, method: USAGE_METHOD, isNeeded: false },
  { rpcID: READING_RPC, method: OUTLINE_METHOD, isNeeded: false },
  { rpcID: READING_RPC, method: FINGERPRINT_METHOD, isNeeded: false },
] as const;

async function checkMethods(
  area: Area,
  client: OpenCodeClient,
  directory: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const location = directory === undefined ? {} : { location: { directory } };
  for (const { rpcID, method, isNeeded } of METHODS) {
    const name = `RPC ${method}`;
    if (await answers(client, { rpcID, method, ...location }, signal)) area.ok(name, "answers");
    else if (isNeeded)
      area.fail(name, "does not answer", "update the plugin with `opencode-prune plugin update`");
    else {
      area.warn(
        name,
        "does not answer, and what needs it is not offered",
        "update the plugin with `opencode-prune plugin update`",
      );
    }
  }
}

/** Sends what every method refuses as its input: only a method that is there can refuse it. */
async function answers(
  client: OpenCodeClient,
  call: { rpcID: string; method: string; location?: { directory: string } },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.rpc.call({ ...call, input: { "asked by": "opencode-prune doctor" } }, { signal });
    return true;
  } catch (error) {
    if (!(error instanceof RpcRefusedError)) throw error;
    return error.type !== "rpc.method_not_found" && error.type !== "rpc.unavailable";
  }
}
