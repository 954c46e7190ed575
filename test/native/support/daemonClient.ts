import type { ThrowawayDaemon } from "../../../src/demo/index.ts";

/** What a daemon answered: the status and the parsed JSON (`undefined` for an empty body). */
export interface DaemonAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** The smallest authenticated HTTP client: what a test asks for, and whatever the daemon answers. */
export interface DaemonClient {
  /** Never throws for a status; look at it. */
  ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<DaemonAnswer>;
  /** As `ask`, but any status that is not 2xx throws; answers the body. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Calls an RPC method at a location. A refusal is an answer with status 400 and `{_tag:"RpcError", …}`. */
  rpc(rpcID: string, method: string, directory: string, input: unknown): Promise<DaemonAnswer>;
}

export function daemonClient(daemon: Pick<ThrowawayDaemon, "url" | "password">): DaemonClient {
  const authorization = `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`;
  const ask = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
    const response = await fetch(daemon.url + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    ask,
    async call(method, path, body) {
      const answer = await ask(method, path, body);
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    rpc(rpcID, method, directory, input) {
      const location = `location[directory]=${encodeURIComponent(directory)}`;
      return ask("POST", `/api/rpc/${rpcID}/${method}?${location}`, { input });
    },
  };
}
