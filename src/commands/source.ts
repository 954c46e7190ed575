import type { OpenCodeClient } from "../opencode/index.ts";
import { createNativeSource, type HistorySource } from "../sync/index.ts";

/** The one place that decides how the commands read a history. */
export function historySource(client: OpenCodeClient): HistorySource {
  return createNativeSource(client);
}
