import type { OpenCodeClient } from "../opencode/index.ts";
import { createRpcSource, type RpcSource } from "../sync/index.ts";

/** The one place that decides how the commands read a history. */
export function historySource(client: OpenCodeClient): RpcSource {
  return createRpcSource(client);
}
