import type { ThrowawayDaemon } from "./daemon.ts";

/** What a daemon answered: the status and the parsed JSON (`undefined` for an empty body). */
export interface DaemonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Where a throwaway daemon is and how to get in. */
export type DaemonAddress = Pick<ThrowawayDaemon, "url" | "password">;

/** One authenticated request. Answers whatever status there is; throws only when the daemon is not reached. */
export async function askDaemon(
  daemon: DaemonAddress,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<DaemonAnswer> {
  const response = await fetch(daemon.url + path, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`opencode:${daemon.password}`).toString("base64")}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** As `askDaemon`, but answers the body, and throws for a status that is not 2xx. */
export async function callDaemon(
  daemon: DaemonAddress,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await askDaemon(daemon, method, path, body);
  if (answer.status >= 200 && answer.status <= 299) return answer.body;
  throw new Error(
    `The throwaway daemon refused ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`,
  );
}
