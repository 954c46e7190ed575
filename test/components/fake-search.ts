import type { ContentQuery, FoundText, SearchPort, SearchStep } from "../../src/state/index.ts";
import { MINUTE, NOW } from "./fake-ports.ts";

/** A search whose steps come when the test says so. */
export class FakeSearch implements SearchPort {
  readonly asked: ContentQuery[] = [];
  /** The searches that the app let go of. */
  ended = 0;
  #steps: (SearchStep | Error | "end")[] = [];
  #wake: (() => void) | undefined;

  async *search(query: ContentQuery, signal: AbortSignal): AsyncGenerator<SearchStep> {
    this.asked.push(query);
    this.#steps = [];
    try {
      for (;;) {
        const step = this.#steps.shift();
        if (step === "end") return;
        if (step instanceof Error) throw step;
        if (step !== undefined) yield step;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        }
        signal.throwIfAborted();
      }
    } finally {
      this.ended += 1;
    }
  }

  come(...steps: (Partial<SearchStep> | Error | "end")[]): void {
    this.#steps.push(
      ...steps.map((step) =>
        step instanceof Error || step === "end"
          ? step
          : { hits: [], scanned: 0, skipped: 0, through: "plugin" as const, ...step },
      ),
    );
    this.#wake?.();
  }
}

export function hit(
  sessionID: string,
  messageID: string,
  excerpt: string,
  more: Partial<FoundText> = {},
): FoundText {
  return {
    sessionID,
    messageID,
    role: "assistant",
    kind: "tool",
    excerpt,
    created: NOW - 50 * MINUTE,
    ...more,
  };
}
