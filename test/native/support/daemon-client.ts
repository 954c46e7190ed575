import { askDaemon, callDaemon, type DaemonAddress } from "../../../src/demo/index.ts";

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
  rpc(
    rpcID: string,
    method: string,
    directory: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<DaemonAnswer>;
}

export function daemonClient(daemon: DaemonAddress): DaemonClient {
  return {
    ask: (method, path, body, signal) => askDaemon(daemon, method, path, body, signal),
    call: (method, path, body) => callDaemon(daemon, method, path, body),
    rpc(rpcID, method, directory, input, signal) {
      const location = `location[directory]=${encodeURIComponent(directory)}`;
      return askDaemon(daemon, "POST", `/api/rpc/${rpcID}/${method}?${location}`, { input }, signal);
    },
  };
}
