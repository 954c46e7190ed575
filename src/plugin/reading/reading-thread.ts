import type { StoredMessage } from "../stored-message.ts";
import type { ProofRequest, ReadAnswer, ReadRequest, StoredRequest } from "./reader.ts";
import { type Question, type Reply, THREAD_PROTOCOL } from "./thread-protocol.ts";

/** A started thread, as far as this needs it; `Worker` of `node:worker_threads` is one. */
export interface StartedThread {
  postMessage(question: Question): void;
  on(event: "message", listener: (reply: Reply) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  terminate(): unknown;
  /** Called once, so that the thread alone keeps no process alive. */
  unref(): unknown;
}

export interface ReadingThreadOptions {
  readonly start: () => StartedThread;
  /** Milliseconds without a question after which the thread is ended. */
  readonly idleAfter?: number;
}

/** The thread cannot be started, ended twice over one question, or speaks another protocol. */
export class ReadingThreadFailure extends Error {
  override readonly name = "ReadingThreadFailure";
}

interface Waiting {
  readonly question: Exclude<Question, { kind: "abort" }>;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
  attempts: number;
}

const IDLE_AFTER = 30_000;
/** How often a question is put before it counts as what ends the thread. */
const ATTEMPTS = 2;

/** The thread that reads: started with the first question, ended when idle, started anew after a crash. */
export class ReadingThread {
  readonly #options: ReadingThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #thread: StartedThread | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #newestID = 0;

  constructor(options: ReadingThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Rejects with the signal's reason, or with a `ReadingThreadFailure`. */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<ReadAnswer> {
    const reply = await this.#ask((id) => ({ kind: "read", id, request }), signal);
    if (reply.kind !== "read") throw new ReadingThreadFailure(messageOf(reply));
    return JSON.parse(reply.answer) as ReadAnswer;
  }

  /** Whether the nonce is visible to the thread. */
  async prove(request: ProofRequest, signal?: AbortSignal): Promise<boolean> {
    const reply = await this.#ask((id) => ({ kind: "prove", id, request }), signal);
    if (reply.kind !== "proved") throw new ReadingThreadFailure(messageOf(reply));
    return reply.visible;
  }

  /** Messages taken apart, `null` for each that is not there, is large or cannot be read. */
  async stored(request: StoredRequest): Promise<readonly (StoredMessage | null)[]> {
    const reply = await this.#ask((id) => ({ kind: "stored", id, request }), undefined);
    if (reply.kind !== "stored") throw new ReadingThreadFailure(messageOf(reply));
    return reply.messages;
  }

  /** Whoever still waits is told that the thread ended. */
  end(): void {
    this.#stop();
    this.#rejectAll("the plugin was unloaded");
  }

  #ask(make: (id: number) => Waiting["question"], signal: AbortSignal | undefined): Promise<Reply> {
    signal?.throwIfAborted();
    this.#newestID += 1;
    const id = this.#newestID;
    return new Promise<Reply>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(id);
        this.#thread?.postMessage({ kind: "abort", id });
        this.#restWhenIdle();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      const settled = () => signal?.removeEventListener("abort", leave);
      this.#put({
        question: make(id),
        attempts: 0,
        resolve: (reply) => {
          settled();
          resolve(reply);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      });
    });
  }

  #put(waiting: Waiting): void {
    clearTimeout(this.#idle);
    this.#waiting.set(waiting.question.id, waiting);
    waiting.attempts += 1;
    try {
      this.#thread ??= this.#start();
      this.#thread.postMessage(waiting.question);
    } catch (error) {
      this.#waiting.delete(waiting.question.id);
      waiting.reject(new ReadingThreadFailure(error instanceof Error ? error.message : String(error)));
    }
  }

  #start(): StartedThread {
    const thread = this.#options.start();
    thread.unref();
    thread.on("message", (reply) => {
      if (this.#thread === thread) this.#hear(reply);
    });
    // An error is followed by the exit.
    thread.on("error", () => {});
    thread.on("exit", () => {
      if (this.#thread === thread) this.#ended();
    });
    return thread;
  }

  #hear(reply: Reply): void {
    if (reply.kind === "ready") {
      if (reply.protocol === THREAD_PROTOCOL) return;
      this.#stop();
      this.#rejectAll(
        `it speaks protocol ${reply.protocol} where ${THREAD_PROTOCOL} is expected; the plugin was updated and has to be loaded anew`,
      );
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    waiting?.resolve(reply);
    this.#restWhenIdle();
  }

  /** The thread crashed: each question is put once more, to a new one. */
  #ended(): void {
    this.#thread = undefined;
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of left) {
      if (waiting.attempts < ATTEMPTS) this.#put(waiting);
      else waiting.reject(new ReadingThreadFailure("it ended twice over the same question"));
    }
  }

  #restWhenIdle(): void {
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#stop(), this.#options.idleAfter ?? IDLE_AFTER);
    this.#idle.unref();
  }

  #stop(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.terminate();
  }

  #rejectAll(why: string): void {
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of left)
      waiting.reject(new ReadingThreadFailure(`The reading thread failed: ${why}.`));
  }
}

function messageOf(reply: Reply): string {
  return reply.kind === "failed"
    ? `The reading thread failed: ${reply.message}`
    : `The reading thread answered "${reply.kind}".`;
}
