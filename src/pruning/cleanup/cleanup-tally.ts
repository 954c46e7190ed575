import type { PruneOptions, PruneReport, Refusal, RefusalReason } from "../../state/ports.ts";
import type { OpenRequest } from "../jobs/index.ts";

/** Counts what came of a job's requests, and tells the caller how far it is. */
export class CleanupTally {
  readonly #total: number;
  readonly #onProgress: PruneOptions["onProgress"];
  readonly #started = performance.now();
  readonly #refused: Refusal[] = [];
  #parts = 0;
  #messages = 0;
  #bytes = 0;

  constructor(total: number, onProgress: PruneOptions["onProgress"]) {
    this.#total = total;
    this.#onProgress = onProgress;
  }

  pruned({ parts, bytes }: OpenRequest): void {
    this.#messages += 1;
    this.#parts += parts;
    this.#bytes += bytes;
  }

  refused({ sessionID, request, parts }: OpenRequest, reason: RefusalReason): void {
    this.#refused.push({ sessionID, messageID: request.messageID, parts, reason });
  }

  /** A request of which nothing can be read but the message. */
  unreadable({ sessionID, messageID }: { readonly sessionID: string; readonly messageID: string }): void {
    this.#refused.push({ sessionID, messageID, parts: 0, reason: "unknown_outcome" });
  }

  tell(): void {
    this.#onProgress?.({
      messagesDone: this.#done,
      messagesTotal: this.#total,
      partsPruned: this.#parts,
      bytesPruned: this.#bytes,
      elapsed: performance.now() - this.#started,
    });
  }

  report(): PruneReport {
    const skippedMessages = Math.max(0, this.#total - this.#done);
    return {
      prunedParts: this.#parts,
      prunedMessages: this.#messages,
      prunedBytes: this.#bytes,
      skippedMessages,
      refused: this.#refused,
      stopped: skippedMessages > 0,
    };
  }

  get #done(): number {
    return this.#messages + this.#refused.length;
  }
}
