import type { ZodType } from "zod";
import { type OpenCodeClient, RpcRefusedError, ServerError } from "../opencode/index.ts";

/** How long a method that nobody serves is not asked for again, in milliseconds. */
const ABSENT_FOR = 10_000;

const ABSENT = new Set(["rpc.unavailable", "rpc.method_not_found"]);

export interface Method<Output> {
  readonly rpcID: string;
  readonly method: string;
  readonly output: ZodType<Output>;
}

/**
 * Calls methods that a daemon may or may not have. Whoever lacks one is not asked for it over and over: a call
 * starts the services of its location.
 */
export class OptionalMethods {
  readonly #client: OpenCodeClient;
  readonly #now: () => number;
  readonly #absentUntil = new Map<string, number>();

  constructor(client: OpenCodeClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** Undefined where nobody serves the method, or answers something else than its contract. */
  async call<Output>(
    method: Method<Output>,
    input: unknown,
    directory: string,
    signal: AbortSignal,
  ): Promise<Output | undefined> {
    const answer = await this.ask(method, input, directory, signal);
    return answer === undefined ? undefined : this.check(method, answer);
  }

  /** The answer as it came; undefined where nobody serves the method. */
  async ask(
    { rpcID, method }: Method<unknown>,
    input: unknown,
    directory: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const name = nameOf({ rpcID, method });
    if (this.#now() < (this.#absentUntil.get(name) ?? 0)) return undefined;
    try {
      const location = { directory };
      const { output } = await this.#client.rpc.call({ rpcID, method, input, location }, { signal });
      return output ?? null;
    } catch (error) {
      if (!(error instanceof RpcRefusedError)) throw error;
      if (ABSENT.has(error.type)) this.#absentUntil.set(name, this.#now() + ABSENT_FOR);
      return undefined;
    }
  }

  /** Undefined where the answer is something else than the method's contract: as good as not served, then. */
  check<Output>(method: Method<Output>, answer: unknown): Output | undefined {
    const parsed = method.output.safeParse(answer);
    if (parsed.success) return parsed.data;
    this.#absentUntil.set(nameOf(method), this.#now() + ABSENT_FOR);
    return undefined;
  }
}

function nameOf({ rpcID, method }: Pick<Method<unknown>, "rpcID" | "method">): string {
  return `${rpcID} ${method}`;
}

/** A location whose folder is gone answers with an error of the server's own; another may serve. */
export async function atFirstThatServes<Output>(
  directories: Iterable<string>,
  call: (directory: string) => Promise<Output | undefined>,
): Promise<Output | undefined> {
  for (const directory of directories) {
    try {
      return await call(directory);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }
  return undefined;
}
