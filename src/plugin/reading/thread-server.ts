import type { Reader } from "./reader.ts";
import { type Question, type Reply, THREAD_PROTOCOL } from "./thread-protocol.ts";

/** The reading thread's end of the line; `parentPort` is one. */
export interface ThreadPort {
  postMessage(reply: Reply): void;
  on(event: "message", listener: (question: Question) => void): unknown;
}

/** Answers questions until the thread is ended. Scans take turns, a step each. */
export function serveReads(port: ThreadPort, reader: Reader): void {
  const aborted = new Set<number>();
  const open = new Set<number>();

  const read = async (id: number, request: Extract<Question, { kind: "read" }>["request"]) => {
    open.add(id);
    const scan = reader.answer(request);
    try {
      let step = scan.next();
      while (!step.done) {
        await nextTurn();
        if (aborted.has(id)) {
          scan.return({ problem: "unavailable" });
          return;
        }
        step = scan.next();
      }
      port.postMessage({ kind: "read", id, answer: JSON.stringify(step.value) });
      open.delete(id);
      while (open.size === 0 && reader.readAhead()) await nextTurn();
    } catch (error) {
      port.postMessage({
        kind: "failed",
        id,
        message: error instanceof Error ? error.message : String(error),
      });
    } finally {
      open.delete(id);
      aborted.delete(id);
    }
  };

  port.on("message", (question) => {
    if (question.kind === "abort") {
      if (open.has(question.id)) aborted.add(question.id);
    } else if (question.kind === "prove") {
      port.postMessage({ kind: "proved", id: question.id, visible: reader.prove(question.request) });
    } else if (question.kind === "stored") {
      port.postMessage({ kind: "stored", id: question.id, messages: reader.stored(question.request) });
    } else {
      void read(question.id, question.request);
    }
  });
  port.postMessage({ kind: "ready", protocol: THREAD_PROTOCOL });
}

/** Lets messages that have arrived be heard, an abort among them. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
