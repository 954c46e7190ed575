import {
  blocked,
  type FingerprintInput,
  type FingerprintOutput,
  type HistoryInput,
  type HistoryOutput,
  type OutlineInput,
  type OutlineOutput,
  refused,
  type UsageInput,
  type UsageOutput,
} from "../../contract/index.ts";
import type { HostLocation } from "../host.ts";
import type { Identity, Nonce } from "../identity.ts";
import type { DatabaseKeeper } from "../pruning-database.ts";
import { isLockedNow } from "../service.ts";
import type { ReadRequest } from "./reader.ts";
import { ReadingThreadFailure } from "./reading-thread.ts";
import type { SharedThread } from "./shared-thread.ts";

type Problem = "unavailable" | "maintenance_required" | "unsupported_storage";

/** Answers the calls that only read, for one location; the work is done by the reading thread. */
export class ReadingService {
  constructor(
    readonly keeper: DatabaseKeeper,
    readonly identity: Identity,
    readonly location: HostLocation,
    readonly shared: SharedThread,
  ) {}

  usage(input: UsageInput, signal?: AbortSignal): Promise<UsageOutput> {
    return this.#read({ method: "usage", input }, refused, signal);
  }

  outline(input: OutlineInput, signal?: AbortSignal): Promise<OutlineOutput> {
    return this.#read({ method: "outline", input }, refused, signal);
  }

  fingerprint(input: FingerprintInput, signal?: AbortSignal): Promise<FingerprintOutput> {
    return this.#read({ method: "fingerprint", input }, refused, signal);
  }

  history(input: HistoryInput, signal?: AbortSignal): Promise<HistoryOutput> {
    return this.#read({ method: "history", input }, blocked, signal);
  }

  async #read<Output>(
    call: ReadRequest["call"],
    refuse: (problem: Problem) => Output,
    signal: AbortSignal | undefined,
  ): Promise<Output> {
    const { path } = this.keeper;
    if (path === undefined) return refuse("unavailable");
    const { directory, workspaceID, project } = this.location;
    const location = {
      directory,
      ...(workspaceID === undefined ? {} : { workspaceID }),
      project: { id: project.id },
    };
    try {
      for (let proofs = 0; ; proofs += 1) {
        const answer = await this.shared.thread.read({ path, location, call }, signal);
        if ("output" in answer) return answer.output as Output;
        if ("problem" in answer) return refuse(answer.problem);
        const problem = proofs === 0 ? await this.#proveOnce(path) : "unsupported_storage";
        if (problem) return refuse(problem);
      }
    } catch (error) {
      if (error instanceof ReadingThreadFailure) return refuse("unavailable");
      throw error;
    }
  }

  /** One proof at a time for a database, whichever location asks first. */
  #proveOnce(path: string): Promise<Problem | undefined> {
    const { proofs } = this.shared;
    const underWay = proofs.get(path) as Promise<Problem | undefined> | undefined;
    if (underWay) return underWay;
    const proof = this.#prove(path).finally(() => proofs.delete(path));
    proofs.set(path, proof);
    return proof;
  }

  /**
   * Has the daemon write a nonce and the thread look for it. While anybody holds the write lock, the daemon's write
   * would stop its whole event loop, so it is not asked for one.
   */
  async #prove(path: string): Promise<Problem | undefined> {
    const database = this.keeper.database();
    if (!database) return "unavailable";
    if (isLockedNow(database)) return "maintenance_required";
    const nonce = await this.identity.challenge();
    if (!nonce) return "maintenance_required";
    try {
      const visible = await this.shared.thread.prove({ path, nonce: rowOf(nonce) });
      return visible ? undefined : "unsupported_storage";
    } finally {
      await this.identity.release(nonce, () => isLockedNow(database));
    }
  }
}

function rowOf({ key, value }: Nonce) {
  return { key, value };
}
