import {
  type BlockedReason,
  type BulkRequest,
  blocked,
  type PruneBatchInput,
  type PruneBatchOutput,
  type PruneBulkInput,
  type PruneBulkOutput,
  type PrunedEvent,
  type PruneOutput,
} from "../../contract/index.ts";
import type { HostLocation } from "../host.ts";
import type { Identity, Nonce } from "../identity.ts";
import type { DatabaseKeeper, PruningDatabase } from "../pruning-database.ts";
import { readAhead } from "../read-ahead.ts";
import { isLockedNow, reasonFor } from "../service.ts";
import { isBusy, SqliteFailure } from "../sqlite.ts";
import type { StoredMessage } from "../stored-message.ts";
import { prune } from "../transaction.ts";
import { MessagesAhead, type TakeApart } from "./messages-ahead.ts";

/** Bounds of one call of `pruneBulk`: stored bytes, and milliseconds. The message under way is finished. */
const BULK_BYTES = 32 * 1024 * 1024;
const BULK_TIME = 400;
/** Milliseconds of `pruneBulk` between two turns of the daemon's event loop. The message under way is finished. */
const BULK_TURN = 4;
/** Prunes whose events are told together: one by one between the messages, an event costs the daemon twice as much. */
const TOLD_TOGETHER = 64;

interface Result {
  readonly messageID: string;
  readonly result: PruneOutput;
}

interface Bounds {
  /** Whether there is to be another message after the ones that took so many bytes. */
  readonly goesOn: (bytes: number) => boolean;
  /** Milliseconds until the daemon's event loop gets its turn; 0: after every message. */
  readonly turn: number;
  /** The messages, as far as another thread has taken them apart already. */
  readonly ahead?: MessagesAhead;
}

interface Answer {
  readonly result: PruneOutput;
  readonly storedBytes: number;
}

/**
 * Prunes many messages of one session under one nonce: one transaction, one receipt and one event for each message,
 * and turns of the daemon's event loop between them. Some events are told together, the last when the call ends.
 */
export class BatchService {
  constructor(
    readonly keeper: DatabaseKeeper,
    readonly identity: Identity,
    readonly location: HostLocation,
    /** Tells everybody about a committed prune. Must not fail, and is not waited for. */
    readonly announce: (event: PrunedEvent) => void,
    /** Used for `pruneBulk`, whose messages are many. */
    readonly takeApart: TakeApart,
    readonly now: () => number = () => performance.now(),
  ) {}

  async pruneBatch(input: PruneBatchInput, signal?: AbortSignal): Promise<PruneBatchOutput> {
    const bounds = { goesOn: () => true, turn: 0 };
    const results = await this.#prune(input.sessionID, input.candidates, bounds, signal);
    return { results };
  }

  async pruneBulk(input: PruneBulkInput, signal?: AbortSignal): Promise<PruneBulkOutput> {
    const end = this.now() + BULK_TIME;
    const goesOn = (bytes: number) => bytes < BULK_BYTES && this.now() < end;
    const ahead = new MessagesAhead(
      input.requests.map((request) => request.messageID),
      this.takeApart,
    );
    const bounds = { goesOn, turn: BULK_TURN, ahead };
    const results = await this.#prune(input.sessionID, input.requests, bounds, signal);
    return { results, left: input.requests.length - results.length };
  }

  /** The results of the first requests, as many as the bounds allow. */
  async #prune(
    sessionID: string,
    requests: readonly BulkRequest[],
    { goesOn, turn, ahead }: Bounds,
    signal: AbortSignal | undefined,
  ): Promise<Result[]> {
    signal?.throwIfAborted();
    const database = this.#openUnlocked();
    if (typeof database === "string") return allBlocked(requests, database);
    const nonce = await this.identity.challenge();
    if (!nonce) return allBlocked(requests, "maintenance_required");
    const results: Result[] = [];
    const pruned: PrunedEvent[] = [];
    let bytes = 0;
    let turnEnd = this.now() + turn;
    const pause = async () => {
      if (this.now() < turnEnd) return;
      await nextTurn();
      turnEnd = this.now() + turn;
    };
    const tell = async () => {
      for (const event of pruned.splice(0)) {
        this.announce(event);
        await pause();
      }
    };
    try {
      for (const [place, request] of requests.entries()) {
        const { messageID } = request;
        const message = ahead?.take(place) ?? (await this.#readAhead(database, messageID));
        signal?.throwIfAborted();
        const { result, storedBytes } = this.#pruneOne(database, sessionID, request, nonce, message);
        bytes += storedBytes;
        results.push({ messageID, result });
        if (result.status === "pruned") pruned.push({ sessionID, messageID, revision: result.revision });
        if (!goesOn(bytes)) break;
        if (pruned.length >= TOLD_TOGETHER) await tell();
        await pause();
      }
    } finally {
      ahead?.end();
      await tell();
      await this.identity.release(nonce, () => isLockedNow(database));
    }
    return results;
  }

  #openUnlocked(): PruningDatabase | BlockedReason {
    try {
      const database = this.keeper.database();
      if (!database) return "unavailable";
      return database.isLocked() ? "maintenance_required" : database;
    } catch (error) {
      return this.#reasonOf(error);
    }
  }

  /** What SQLite refuses here, it refuses again under the lock, where that is answered. */
  async #readAhead(database: PruningDatabase, messageID: string): Promise<StoredMessage | undefined> {
    try {
      if (this.keeper.database() !== database) return undefined;
      return await readAhead(database, messageID);
    } catch (error) {
      if (error instanceof SqliteFailure) return undefined;
      throw error;
    }
  }

  #pruneOne(
    database: PruningDatabase,
    sessionID: string,
    request: BulkRequest,
    nonce: Nonce,
    ahead: StoredMessage | undefined,
  ): Answer {
    try {
      if (this.keeper.database() !== database) return { result: blocked("unavailable"), storedBytes: 0 };
      const { messageID, revision } = request;
      const what =
        "indexes" in request
          ? { indexes: request.indexes }
          : { counts: { toolCount: request.toolCount, reasoningCount: request.reasoningCount } };
      const { location } = this;
      const subject = {
        sessionID,
        messageID,
        revision,
        location,
        nonce,
        keepsNonce: true,
        readAhead: ahead,
        ...what,
      };
      const decision = prune(database, { sessionID, ...request }, subject);
      const { storedBytes } = decision;
      if ("refused" in decision) return { result: blocked(decision.refused), storedBytes };
      database.isProven = true;
      return { result: decision.pruned, storedBytes };
    } catch (error) {
      return { result: blocked(this.#reasonOf(error)), storedBytes: 0 };
    }
  }

  #reasonOf(error: unknown): BlockedReason {
    if (!(error instanceof SqliteFailure)) throw error;
    if (!isBusy(error.resultCode)) this.keeper.close();
    return reasonFor(error.resultCode);
  }
}

function allBlocked(requests: readonly BulkRequest[], reason: BlockedReason): Result[] {
  return requests.map(({ messageID }) => ({ messageID, result: blocked(reason) }));
}

/** Lets the daemon do what it has to before the next message. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
