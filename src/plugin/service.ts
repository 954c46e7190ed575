import {
  type Blocked,
  type BlockedReason,
  blocked,
  type PreviewInput,
  type PreviewOutput,
  type PrunedEvent,
  type PruneInput,
  type PruneOutput,
} from "../contract/index.ts";
import type { HostLocation } from "./host.ts";
import type { Identity, Nonce } from "./identity.ts";
import { disproof, preview } from "./preview.ts";
import type { DatabaseKeeper, PruningDatabase } from "./pruning-database.ts";
import { readAhead } from "./read-ahead.ts";
import { isBusy, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SqliteFailure } from "./sqlite.ts";
import type { StoredMessage } from "./stored-message.ts";
import { prune } from "./transaction.ts";

/** Answers the calls of the pruning RPC for one location. */
export class PruningService {
  constructor(
    readonly keeper: DatabaseKeeper,
    readonly identity: Identity,
    readonly location: HostLocation,
    /** Tells everybody about a committed prune. Must not fail, and is not waited for. */
    readonly announce: (event: PrunedEvent) => void,
  ) {}

  async preview(input: PreviewInput): Promise<PreviewOutput> {
    return this.#answer(async () => {
      const database = this.keeper.database();
      if (!database) return blocked("unavailable");
      if (!database.isProven) {
        const refused = await this.#prove(input);
        if (refused) return blocked(refused);
      }
      const ahead = await readAhead(database, input.messageID);
      if (this.keeper.database() !== database) return blocked("unavailable");
      return preview(database, { ...input, location: this.location, readAhead: ahead });
    });
  }

  async prune(input: PruneInput, signal?: AbortSignal): Promise<PruneOutput> {
    return this.#answer(() =>
      this.#challenged<PruneOutput>(signal, input, (database, nonce, ahead) => {
        const subject = { ...input, location: this.location, nonce, readAhead: ahead };
        const decision = prune(database, input, subject);
        if ("refused" in decision) return { output: blocked(decision.refused), consumed: false };
        const { pruned } = decision;
        database.isProven = true;
        this.announce({
          sessionID: input.sessionID,
          messageID: pruned.messageID,
          revision: pruned.revision,
        });
        return { output: pruned, consumed: true };
      }),
    );
  }

  dispose(): void {
    this.identity.dispose();
    this.keeper.end();
  }

  /** Proves once for an opened file that it is the daemon's own. Answers why not. */
  async #prove(input: PreviewInput): Promise<BlockedReason | undefined> {
    const answer = await this.#challenged<Blocked | undefined>(undefined, undefined, (database, nonce) => {
      const failing = disproof(database, { ...input, location: this.location, nonce });
      database.isProven = failing === undefined;
      return { output: failing ? blocked(failing.reason) : undefined, consumed: false };
    });
    return answer?.reason;
  }

  /**
   * Does the work with a fresh nonce in the daemon's storage, and without an `await` in it. The lock is probed
   * before: while anybody holds it, the daemon's write of the nonce would stop the daemon's whole event loop.
   */
  async #challenged<Output>(
    signal: AbortSignal | undefined,
    ahead: { readonly messageID: string } | undefined,
    work: Challenged<Output>,
  ): Promise<Output | Blocked> {
    signal?.throwIfAborted();
    const database = this.keeper.database();
    if (!database) return blocked("unavailable");
    if (database.isLocked()) return blocked("maintenance_required");
    const message = ahead && (await readAhead(database, ahead.messageID));
    const nonce = await this.identity.challenge();
    if (!nonce) return blocked("maintenance_required");
    let consumed = false;
    try {
      signal?.throwIfAborted();
      if (this.keeper.database() !== database) return blocked("unavailable");
      const done = work(database, nonce, message);
      consumed = done.consumed;
      return done.output;
    } finally {
      if (!consumed) await this.identity.release(nonce, () => isLockedNow(database));
    }
  }

  async #answer<Output>(work: () => Promise<Output>) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SqliteFailure)) throw error;
      if (!isBusy(error.resultCode)) this.keeper.close();
      return blocked(reasonFor(error.resultCode));
    }
  }
}

/** What is done with a fresh nonce, and whether a commit has consumed it. */
type Challenged<Output> = (
  database: PruningDatabase,
  nonce: Nonce,
  ahead: StoredMessage | undefined,
) => { readonly output: Output; readonly consumed: boolean };

/** A database that cannot even say so holds nobody up. */
export function isLockedNow(database: PruningDatabase): boolean {
  try {
    return database.isLocked();
  } catch {
    return false;
  }
}

/** What a refusal by SQLite itself means for the caller. */
export function reasonFor(resultCode: number): BlockedReason {
  if (isBusy(resultCode)) return "maintenance_required";
  switch (resultCode) {
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
