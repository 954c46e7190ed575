import {
  PLUGIN_ID,
  PREVIEW_METHOD,
  PRUNE_METHOD,
  PRUNED_EVENT_NAME,
  PRUNING_RPC,
  PreviewInput,
  PreviewOutput,
  PrunedEvent,
  PruneInput,
  PruneOutput,
} from "../contract/index.ts";
import { databasePath } from "./database-path.ts";
import type { PluginHost, RpcCall, RpcRegistration } from "./host.ts";
import { Identity } from "./identity.ts";
import { openNodeSqlite } from "./node-sqlite.ts";
import { DatabaseKeeper } from "./pruning-database.ts";
import { PruningService } from "./service.ts";

export default {
  id: PLUGIN_ID,
  async setup(host: PluginHost): Promise<() => Promise<void>> {
    const path = databasePath({
      option: host.options?.databasePath,
      channel: host.app.channel,
      environment: process.env,
      platform: process.platform,
    });
    const keeper = new DatabaseKeeper(path, openNodeSqlite);
    let registration: RpcRegistration | undefined;
    const service = new PruningService(
      keeper,
      new Identity(host.storage, PLUGIN_ID),
      host.location,
      (event) => {
        Promise.resolve(registration?.events.emit(PRUNED_EVENT_NAME, event)).catch(() => {});
      },
    );
    registration = await host.rpc.register(
      {
        id: PRUNING_RPC,
        methods: {
          [PREVIEW_METHOD]: { input: PreviewInput, output: PreviewOutput },
          [PRUNE_METHOD]: { input: PruneInput, output: PruneOutput },
        },
        events: { [PRUNED_EVENT_NAME]: { schema: PrunedEvent } },
      },
      {
        [PREVIEW_METHOD]: (input: PreviewInput) => service.preview(input),
        [PRUNE_METHOD]: (input: PruneInput, call: RpcCall) => service.prune(input, call.signal),
      },
    );
    return async () => {
      await registration?.dispose();
      service.dispose();
    };
  },
};
