import { PLUGIN_ID, PRUNE_BULK_METHOD, READING_RPC } from "../../../src/contract/index.ts";
import type { PluginHost } from "../../../src/plugin/host.ts";
import { openNodeSqlite } from "../../../src/plugin/node-sqlite.ts";
import { leaseThread } from "../../../src/plugin/reading/index.ts";
import { setUp } from "../../../src/plugin/setup.ts";

/** The plugin with nothing but what the published one has too: neither `pruneBulk` nor the reading RPC. */
export default {
  id: PLUGIN_ID,
  setup: (host: PluginHost) =>
    setUp(asPublished(host), openNodeSqlite, leaseThread(new URL("./worker.js", import.meta.url))),
};

function asPublished({ rpc, ...host }: PluginHost): PluginHost {
  return {
    ...host,
    rpc: {
      async register(definition, methods) {
        if (definition.id === READING_RPC) return { dispose() {}, events: { emit() {} } };
        return rpc.register({ ...definition, methods: without(definition.methods) }, without(methods));
      },
    },
  };
}

function without<Value>(methods: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(methods).filter(([name]) => name !== PRUNE_BULK_METHOD));
}
