import type {
  MessageReference,
  PruneOptions,
  PruneReport,
  Refusal,
  RefusalReason,
} from "../../state/ports.ts";
import { mayBePruned, type Sent } from "./send-requests.ts";
import type { SessionRequest } from "./session-request.ts";

export interface RunListeners {
  readonly onProgress?: PruneOptions["onProgress"] | undefined;
  /** Called for every message that was pruned, or may have been: it has to be read again. */
  readonly onPruned?: ((message: MessageReference) => void) | undefined;
}

/** Counts what came of the requests of a run, and tells the caller how far it is. */
export class RunTally {
  readonly #total: number;
  readonly #listeners: RunListeners;
  readonly #started = performance.now();
  readonly #refused: Refusal[] = [];
  #parts = 0;
  #messages = 0;
  #bytes = 0;
  #isLost = false;

  constructor(total: number, listeners: RunListeners = {}) {
    this.#total = total;
    this.#listeners = listeners;
  }

  /** The server is not to be reached any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The outcomes of one call. */
  sent(sent: readonly Sent[]): void {
    for (const [request, outcome] of sent) {
      if (outcome.kind === "pruned") this.#pruned(request);
      else if (outcome.kind !== "not_reached") this.refused(request, outcome.reason);
      this.#isLost ||= outcome.kind === "lost";
      if (!mayBePruned(outcome)) continue;
      const { sessionID } = request;
      this.#listeners.onPruned?.({ sessionID, messageID: request.request.messageID });
    }
  }

  refused({ sessionID, request, parts }: SessionRequest, reason: RefusalReason): void {
    this.#refused.push({ sessionID, messageID: request.messageID, parts, reason });
  }

  /** A request of which nothing can be read but the message. */
  unreadable({ sessionID, messageID }: MessageReference): void {
    this.#refused.push({ sessionID, messageID, parts: 0, reason: "unknown_outcome" });
  }

  tell(): void {
    this.#listeners.onProgress?.({
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
      stopped: this.#isLost || skippedMessages > 0,
    };
  }

  #pruned({ parts, bytes }: SessionRequest): void {
    this.#messages += 1;
    this.#parts += parts;
    this.#bytes += bytes;
  }

  get #done(): number {
    return this.#messages + this.#refused.length;
  }
}
