import {
  HISTORY_METHOD,
  HistoryInput,
  PLUGIN_ID,
  PREVIEW_METHOD,
  PRUNE_BATCH_METHOD,
  PRUNE_BULK_METHOD,
  PRUNE_METHOD,
  PRUNED_EVENT_NAME,
  PRUNING_RPC,
  PreviewInput,
  PreviewOutput,
  PruneBatchInput,
  PruneBulkInput,
  PrunedEvent,
  PruneInput,
  PruneOutput,
} from "../contract/index.ts";
import { BatchService } from "./batch/batch-service.ts";
import type { TakeApart } from "./batch/messages-ahead.ts";
import { databasePath } from "./database-path.ts";
import type { PluginHost, RpcCall } from "./host.ts";
import { Identity } from "./identity.ts";
import { DatabaseKeeper } from "./pruning-database.ts";
import { AS_COMPOSED, type Lease, ReadingService, registerReading } from "./reading/index.ts";
import { PruningService } from "./service.ts";
import type { OpenSqlite } from "./sqlite.ts";
import { Standing } from "./standing.ts";

/**
 * Serves both RPCs for one location. Loading touches no database and starts no thread; answers the way to undo it
 * all, the lease of the reading thread included.
 */
export async function setUp(
  host: PluginHost,
  openSqlite: OpenSqlite,
  lease: Lease,
): Promise<() => Promise<void>> {
  const path = databasePath({
    option: host.options?.databasePath,
    channel: host.app.channel,
    environment: process.env,
    platform: process.platform,
  });
  const keeper = new DatabaseKeeper(path, openSqlite);
  const identity = new Identity(host.storage, PLUGIN_ID);
  const announce = (event: PrunedEvent) => void standing.emit(PRUNED_EVENT_NAME, event);
  const pruning = new PruningService(keeper, identity, host.location, announce);
  const takeApart: TakeApart = async (messageIDs) =>
    path === undefined ? [] : await lease.shared.thread.stored({ path, messageIDs });
  const batches = new BatchService(keeper, identity, host.location, announce, takeApart);
  const reading = new ReadingService(keeper, identity, host.location, lease.shared);
  const standing = new Standing(host, () =>
    host.rpc.register(
      {
        id: PRUNING_RPC,
        methods: {
          [PREVIEW_METHOD]: { input: PreviewInput, output: PreviewOutput },
          [PRUNE_METHOD]: { input: PruneInput, output: PruneOutput },
          [PRUNE_BATCH_METHOD]: { input: PruneBatchInput, output: AS_COMPOSED },
          [PRUNE_BULK_METHOD]: { input: PruneBulkInput, output: AS_COMPOSED },
          [HISTORY_METHOD]: { input: HistoryInput, output: AS_COMPOSED },
        },
        events: { [PRUNED_EVENT_NAME]: { schema: PrunedEvent } },
      },
      {
        [PREVIEW_METHOD]: (input: PreviewInput) => pruning.preview(input),
        [PRUNE_METHOD]: (input: PruneInput, call: RpcCall) => pruning.prune(input, call.signal),
        [PRUNE_BATCH_METHOD]: (input: PruneBatchInput, call: RpcCall) =>
          batches.pruneBatch(input, call.signal),
        [PRUNE_BULK_METHOD]: (input: PruneBulkInput, call: RpcCall) => batches.pruneBulk(input, call.signal),
        [HISTORY_METHOD]: (input: HistoryInput, call: RpcCall) => reading.history(input, call.signal),
      },
    ),
  );
  await standing.begin();
  const readingRegistration = await registerReading(host, reading);
  return async () => {
    await readingRegistration.dispose();
    await standing.end();
    pruning.dispose();
    lease.release();
  };
}
