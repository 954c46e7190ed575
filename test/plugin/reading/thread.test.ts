import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReadRequest } from "../../../src/plugin/reading/reader.ts";
import {
  ReadingThread,
  ReadingThreadFailure,
  type StartedThread,
} from "../../../src/plugin/reading/reading-thread.ts";
import { leaseThread } from "../../../src/plugin/reading/shared-thread.ts";
import { type Question, type Reply, THREAD_PROTOCOL } from "../../../src/plugin/reading/thread-protocol.ts";

/** A thread that does what a test says. */
class FakeThread extends EventEmitter implements StartedThread {
  readonly asked: Question[] = [];
  terminated = false;
  answers: (question: Question) => void = (question) => {
    if (question.kind === "read") this.reply({ kind: "read", id: question.id, answer: '{"output":1}' });
  };

  postMessage(question: Question): void {
    this.asked.push(question);
    queueMicrotask(() => this.answers(question));
  }
  reply(reply: Reply): void {
    this.emit("message", reply);
  }
  crash(): void {
    this.emit("error", new Error("boom"));
    this.emit("exit", 1);
  }
  terminate(): void {
    this.terminated = true;
  }
  unref(): void {}
}

const request: ReadRequest = {
  path: "/db",
  location: { directory: "/a", project: { id: "p" } },
  call: { method: "usage", input: {} },
};
const never = () => {};

let started: FakeThread[];
let prepare: (thread: FakeThread) => void;
let thread: ReadingThread;

beforeEach(() => {
  vi.useFakeTimers();
  started = [];
  prepare = never;
  thread = new ReadingThread({
    idleAfter: 1_000,
    start: () => {
      const one = new FakeThread();
      prepare(one);
      started.push(one);
      return one;
    },
  });
});
afterEach(() => vi.useRealTimers());

describe("the reading thread", () => {
  it("is started by the first question and serves those that follow", async () => {
    expect(started).toHaveLength(0);
    await thread.read(request);
    await thread.read(request);
    expect(started).toHaveLength(1);
  });

  it("ends when nobody asked for a while, and starts again", async () => {
    await thread.read(request);
    vi.advanceTimersByTime(999);
    expect(thread.isRunning).toBe(true);
    await thread.read(request);
    vi.advanceTimersByTime(1_000);
    expect(thread.isRunning).toBe(false);
    expect(started[0]?.terminated).toBe(true);
    await thread.read(request);
    expect(started).toHaveLength(2);
  });

  it("does not end while somebody waits", async () => {
    prepare = (one) => {
      one.answers = never;
    };
    const answer = thread.read(request);
    vi.advanceTimersByTime(60_000);
    expect(thread.isRunning).toBe(true);
    started[0]?.reply({ kind: "read", id: 1, answer: '{"output":2}' });
    expect(await answer).toEqual({ output: 2 });
  });

  it("is started anew after a crash, and asked again what it was asked", async () => {
    prepare = (one) => {
      if (started.length === 0) one.answers = never;
    };
    const answers = Promise.all([thread.read(request), thread.read(request)]);
    started[0]?.crash();
    expect(await answers).toEqual([{ output: 1 }, { output: 1 }]);
    expect(started).toHaveLength(2);
  });

  it("is not started over and over for a question that ends it", async () => {
    prepare = (one) => {
      one.answers = () => one.crash();
    };
    await expect(thread.read(request)).rejects.toThrow(ReadingThreadFailure);
    expect(started).toHaveLength(2);
    prepare = never;
    expect(await thread.read(request)).toEqual({ output: 1 });
  });

  it("tells the thread that a caller has left, and the caller at once", async () => {
    prepare = (one) => {
      one.answers = never;
    };
    const caller = new AbortController();
    const answer = thread.read(request, caller.signal);
    caller.abort(new Error("left"));
    await expect(answer).rejects.toThrow("left");
    expect(started[0]?.asked.at(-1)).toEqual({ kind: "abort", id: 1 });
    await expect(thread.read(request, caller.signal)).rejects.toThrow("left");
    expect(started[0]?.asked).toHaveLength(2);
  });

  it("is not used when it speaks another protocol", async () => {
    prepare = (one) => {
      one.answers = () => one.reply({ kind: "ready", protocol: THREAD_PROTOCOL + 1 });
    };
    await expect(thread.read(request)).rejects.toThrow(/protocol 3 where 2 is expected; .* loaded anew/);
    expect(started[0]?.terminated).toBe(true);
  });

  it("says what went wrong inside, and goes on", async () => {
    prepare = (one) => {
      one.answers = (question) => one.reply({ kind: "failed", id: question.id, message: "a fault" });
    };
    await expect(thread.read(request)).rejects.toThrow("a fault");
    expect(thread.isRunning).toBe(true);
  });

  it("reports a thread that cannot be started", async () => {
    prepare = () => {
      throw new Error("no such file");
    };
    await expect(thread.read(request)).rejects.toThrow("no such file");
    prepare = never;
    expect(await thread.read(request)).toEqual({ output: 1 });
  });
});

describe("the thread that locations share", () => {
  const build = (name: string) => new URL(`file:///builds/${name}/worker.js`);
  const start = () => {
    const one = new FakeThread();
    started.push(one);
    return one;
  };

  it("is one for all that loaded the same build, and ends with the last of them", async () => {
    const one = leaseThread(build("a"), start);
    const other = leaseThread(build("a"), start);
    expect(other.shared).toBe(one.shared);
    await one.shared.thread.read(request);
    await other.shared.thread.read(request);
    expect(started).toHaveLength(1);
    one.release();
    one.release();
    expect(started[0]?.terminated).toBe(false);
    other.release();
    expect(started[0]?.terminated).toBe(true);
  });

  it("is another for another build", () => {
    const one = leaseThread(build("a"), start);
    const other = leaseThread(build("b"), start);
    expect(other.shared).not.toBe(one.shared);
    expect(other.shared.key).not.toEqual(one.shared.key);
    one.release();
    other.release();
  });

  it("is a new one after the last has left", () => {
    const one = leaseThread(build("a"), start);
    one.release();
    const other = leaseThread(build("a"), start);
    expect(other.shared).not.toBe(one.shared);
    other.release();
  });
});
