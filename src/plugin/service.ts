import {
  type BlockedReason,
  blocked,
  type PreviewInput,
  type PreviewOutput,
  type PruneInput,
  type PruneOutput,
} from "../contract/index.ts";
import type { HostLocation } from "./host.ts";
import type { Identity } from "./identity.ts";
import { preview } from "./preview.ts";
import type { DatabaseKeeper, PruningDatabase } from "./pruning-database.ts";
import {
  SQLITE_BUSY,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_LOCKED,
  SQLITE_NOMEM,
  SqliteFailure,
} from "./sqlite.ts";
import { prune } from "./transaction.ts";

/** Answers the calls of the pruning RPC for one location. */
export class PruningService {
  constructor(
    readonly keeper: DatabaseKeeper,
    readonly identity: Identity,
    readonly location: HostLocation,
    readonly announce: (event: { sessionID: string; messageID: string; revision: string }) => void,
  ) {}

  async preview(input: PreviewInput): Promise<PreviewOutput> {
    return answering(async () => {
      const database = this.keeper.database();
      if (!database) return blocked("unavailable");
      return preview(database, { ...input, location: this.location });
    });
  }

  async prune(input: PruneInput, signal?: AbortSignal): Promise<PruneOutput> {
    return answering(async () => {
      signal?.throwIfAborted();
      const database = this.keeper.database();
      if (!database) return blocked("unavailable");
      assertNotLocked(database);
      const nonce = await this.identity.challenge();
      if (!nonce) return blocked("maintenance_required");
      let consumed = false;
      try {
        signal?.throwIfAborted();
        const decision = prune(database, input, { ...input, location: this.location, nonce });
        if ("refused" in decision) return blocked(decision.refused);
        consumed = true;
        const { pruned } = decision;
        this.announce({
          sessionID: input.sessionID,
          messageID: pruned.messageID,
          revision: pruned.revision,
        });
        return pruned;
      } finally {
        if (!consumed) await this.identity.remove(nonce);
      }
    });
  }

  dispose(): void {
    this.keeper.close();
  }
}

/** Throws `SQLITE_BUSY` at once while anybody holds the write lock. */
function assertNotLocked(database: PruningDatabase): void {
  database.statement("BEGIN IMMEDIATE").run();
  database.statement("ROLLBACK").run();
}

async function answering<Output>(work: () => Promise<Output>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SqliteFailure) return blocked(reasonFor(error.resultCode));
    throw error;
  }
}

export function reasonFor(resultCode: number): BlockedReason {
  switch (resultCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      return "maintenance_required";
    case SQLITE_CANTOPEN:
      return "unavailable";
    default:
      return "unsupported_storage";
  }
}
