import { PLUGIN_ID } from "../contract/index.ts";
import type { PluginHost } from "./host.ts";
import { openNodeSqlite } from "./node-sqlite.ts";
import { leaseThread } from "./reading/index.ts";
import { setUp } from "./setup.ts";

/** What OpenCode loads, once per location. */
export default {
  id: PLUGIN_ID,
  setup: (host: PluginHost): Promise<() => Promise<void>> =>
    setUp(host, openNodeSqlite, leaseThread(new URL("./worker.js", import.meta.url))),
};
