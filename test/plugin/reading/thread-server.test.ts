import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { ReadAnswer, Reader } from "../../../src/plugin/reading/reader.ts";
import type { Question, Reply } from "../../../src/plugin/reading/thread-protocol.ts";
import { serveReads } from "../../../src/plugin/reading/thread-server.ts";

class Port extends EventEmitter {
  readonly replies: Reply[] = [];
  postMessage(reply: Reply): void {
    this.replies.push(reply);
  }
  ask(question: Question): void {
    this.emit("message", question);
  }
  answers(): Reply[] {
    return this.replies.filter((reply) => reply.kind !== "ready");
  }
}

const request = {} as Extract<Question, { kind: "read" }>["request"];
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function serve(answer: () => Generator<void, ReadAnswer, void>): Port {
  const port = new Port();
  serveReads(port, { answer, readAhead: () => false, prove: () => true } as unknown as Reader);
  return port;
}

describe("the reading thread's end", () => {
  it("stops a scan whose caller has left, and answers nothing for it", async () => {
    let steps = 0;
    let cleanedUp = false;
    const port = serve(function* () {
      try {
        for (;;) {
          steps += 1;
          yield;
        }
      } finally {
        cleanedUp = true;
      }
    });
    port.ask({ kind: "read", id: 1, request });
    await turns(5);
    expect(steps).toBeGreaterThan(3);
    port.ask({ kind: "abort", id: 1 });
    await turns(2);
    const stopped = steps;
    await turns(5);
    expect(steps).toBe(stopped);
    expect(cleanedUp).toBe(true);
    expect(port.answers()).toEqual([]);
  });

  it("lets scans take turns: a short one is answered while a long one goes on", async () => {
    let asked = 0;
    const port = serve(function* () {
      asked += 1;
      const steps = asked === 1 ? 1_000 : 2;
      for (let step = 0; step < steps; step += 1) yield;
      return { output: steps };
    });
    port.ask({ kind: "read", id: 1, request });
    port.ask({ kind: "read", id: 2, request });
    await turns(20);
    expect(port.answers()).toEqual([{ kind: "read", id: 2, answer: '{"output":2}' }]);
    port.ask({ kind: "abort", id: 1 });
  });

  it("reports a fault of its own and serves the next question", async () => {
    let asked = 0;
    // biome-ignore lint/correctness/useYield: it fails before its first step
    const port = serve(function* () {
      asked += 1;
      if (asked === 1) throw new Error("a fault");
      return { output: "fine" };
    });
    port.ask({ kind: "read", id: 1, request });
    port.ask({ kind: "read", id: 2, request });
    await turns(3);
    expect(port.answers()).toEqual([
      { kind: "failed", id: 1, message: "a fault" },
      { kind: "read", id: 2, answer: '{"output":"fine"}' },
    ]);
  });

  it("is not confused by an abort of what it has answered", async () => {
    // biome-ignore lint/correctness/useYield: it is done in one step
    const port = serve(function* () {
      return { output: 1 };
    });
    port.ask({ kind: "read", id: 1, request });
    await turns(2);
    port.ask({ kind: "abort", id: 1 });
    port.ask({ kind: "read", id: 1, request });
    await turns(2);
    expect(port.answers()).toHaveLength(2);
  });
});
