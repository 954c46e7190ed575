import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the fake server got it. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface FakeServer {
  readonly url: string;
  /** Everything that was asked so far. */
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** A server for what a real daemon never does on demand: answers that are torn, malformed or late. */
export async function startFakeServer(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<FakeServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one: Received = {
      method: request.method ?? "",
      url: request.url ?? "",
      authorization: request.headers.authorization,
      body: await bodyOf(request),
    };
    received.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
