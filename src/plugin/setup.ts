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
import type { PluginHost, RpcCall } from "./host.ts";
import { Identity } from "./identity.ts";
import { DatabaseKeeper } from "./pruning-database.ts";
import { PruningService } from "./service.ts";
import type { OpenSqlite } from "./sqlite.ts";
import { Standing } from "./standing.ts";

/** Serves the pruning RPC for one location. Loading touches no database; answers the way to undo it all. */
export async function setUp(host: PluginHost, openSqlite: OpenSqlite): Promise<() => Promise<void>> {
  const path = databasePath({
    option: host.options?.databasePath,
    channel: host.app.channel,
    environment: process.env,
    platform: process.platform,
  });
  const service = new PruningService(
    new DatabaseKeeper(path, openSqlite),
    new Identity(host.storage, PLUGIN_ID),
    host.location,
    (event) => void standing.emit(PRUNED_EVENT_NAME, event),
  );
  const standing = new Standing(host, () =>
    host.rpc.register(
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
    ),
  );
  await standing.begin();
  return async () => {
    await standing.end();
    service.dispose();
  };
}
