import {
  FINGERPRINT_METHOD,
  type FingerprintInput,
  HISTORY_METHOD,
  type HistoryInput,
  OUTLINE_METHOD,
  type OutlineInput,
  USAGE_METHOD,
  type UsageInput,
} from "../../contract/index.ts";
import { historyPage } from "../history/history-page.ts";
import type { HostLocation } from "../host.ts";
import { DatabaseKeeper, identityOfFile, type PruningDatabase } from "../pruning-database.ts";
import { readAtOnce } from "../read-ahead.ts";
import { reasonFor } from "../service.ts";
import { isBusy, type OpenSqlite, SqliteFailure } from "../sqlite.ts";
import type { StoredMessage } from "../stored-message.ts";
import type { CursorKey } from "./cursor.ts";
import { fingerprints } from "./fingerprint.ts";
import { outlinePage } from "./outline.ts";
import { ReadAhead } from "./read-ahead.ts";
import type { Reading, Scan } from "./scan.ts";
import { isReadable } from "./tables.ts";
import { usagePage } from "./usage.ts";

/** One call, as the daemon's thread hands it on. The input has passed its schema. */
export interface ReadRequest {
  readonly path: string;
  readonly location: HostLocation;
  readonly call:
    | { readonly method: typeof USAGE_METHOD; readonly input: UsageInput }
    | { readonly method: typeof OUTLINE_METHOD; readonly input: OutlineInput }
    | { readonly method: typeof FINGERPRINT_METHOD; readonly input: FingerprintInput }
    | { readonly method: typeof HISTORY_METHOD; readonly input: HistoryInput };
}

export type ReadAnswer =
  | { readonly output: unknown }
  /** Nobody has proved yet that the file is the daemon's database. */
  | { readonly unproven: true }
  | { readonly problem: "unavailable" | "maintenance_required" | "unsupported_storage" };

export interface ProofRequest {
  readonly path: string;
  /** A row of table `kv` that only the daemon can have written. */
  readonly nonce: { readonly key: string; readonly value: string };
}

export interface StoredRequest {
  readonly path: string;
  readonly messageIDs: readonly string[];
}

/** Reads databases, each over one connection that is proved once, and again when another file takes its place. */
export class Reader {
  readonly #keepers = new Map<string, DatabaseKeeper>();
  readonly #ahead = new ReadAhead();
  readonly #proven = new WeakSet<PruningDatabase>();

  constructor(
    readonly open: OpenSqlite,
    readonly key: CursorKey,
    readonly now: () => number = () => performance.now(),
  ) {}

  *answer(request: ReadRequest): Scan<ReadAnswer> {
    const { path, location, call } = request;
    try {
      const file = identityOfFile(path);
      const database = this.#keeper(path).database();
      if (!database || file === undefined) return { problem: "unavailable" };
      if (!this.#proven.has(database)) return { unproven: true };
      const reading: Reading = { database, file, location, key: this.key, now: this.now };
      if (!isReadable(reading)) return { problem: "unsupported_storage" };
      const output = yield* this.#ahead.take(database, request) ?? scan(reading, call);
      this.#ahead.begin(reading, request, output);
      return { output };
    } catch (error) {
      if (!(error instanceof SqliteFailure)) throw error;
      // A connection that failed is not used again, and the next one has to be proved anew.
      if (!isBusy(error.resultCode)) this.#keeper(path).close();
      return { problem: problemOf(error) };
    }
  }

  /** Reads ahead, one step, while nothing else is asked. Answers whether there is another step. */
  readAhead(): boolean {
    return this.#ahead.step();
  }

  /** Whether the nonce is visible here: then the connection counts as proved for as long as its file stays. */
  prove({ path, nonce }: ProofRequest): boolean {
    try {
      const database = this.#keeper(path).database();
      const row = database?.statement("SELECT value FROM kv WHERE key = ?").get(nonce.key);
      if (!database || row?.value !== nonce.value) return false;
      this.#proven.add(database);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Messages taken apart; `null` where one is not there, or large, or cannot be read now. The connection need not be
   * proved for that: a prune uses what was read ahead only if it finds the very characters in the daemon's database.
   */
  stored({ path, messageIDs }: StoredRequest): readonly (StoredMessage | null)[] {
    try {
      const database = this.#keeper(path).database();
      return messageIDs.map((messageID) => (database && readAtOnce(database, messageID)) ?? null);
    } catch (error) {
      if (!(error instanceof SqliteFailure)) throw error;
      if (!isBusy(error.resultCode)) this.#keeper(path).close();
      return messageIDs.map(() => null);
    }
  }

  close(): void {
    for (const keeper of this.#keepers.values()) keeper.close();
    this.#keepers.clear();
  }

  #keeper(path: string): DatabaseKeeper {
    const known = this.#keepers.get(path);
    if (known) return known;
    const keeper = new DatabaseKeeper(path, this.open);
    this.#keepers.set(path, keeper);
    return keeper;
  }
}

function scan(reading: Reading, call: ReadRequest["call"]): Scan<unknown> {
  switch (call.method) {
    case USAGE_METHOD:
      return usagePage(reading, call.input);
    case OUTLINE_METHOD:
      return outlinePage(reading, call.input);
    case FINGERPRINT_METHOD:
      return fingerprints(reading, call.input);
    case HISTORY_METHOD:
      return historyPage(reading, call.input);
  }
}

function problemOf(error: SqliteFailure): "unavailable" | "maintenance_required" | "unsupported_storage" {
  const reason = reasonFor(error.resultCode);
  return reason === "unavailable" || reason === "maintenance_required" ? reason : "unsupported_storage";
}
