import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import {
  AbortedError,
  MalformedError,
  NotFoundError,
  OpenCode,
  type OpenCodeClient,
  OpenCodeError,
  passwordHeaders,
  RpcRefusedError,
  ServerError,
  UnauthorisedError,
  UnreachableError,
} from "#opencode/client";
import { type FakeServer, type Received, sendJson, startFakeServer } from "./support/fake-server.ts";

const PASSWORD = "a pässword";
let server: FakeServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(
  answer: (request: Received, response: ServerResponse) => void,
  timeout?: number,
): Promise<OpenCodeClient> {
  server = await startFakeServer(answer);
  return OpenCode.make({
    baseUrl: `${server.url}/`,
    headers: passwordHeaders(PASSWORD),
    ...(timeout === undefined ? {} : { timeout }),
  });
}

const answering = (value: unknown, status?: number) =>
  clientOf((_, response) => sendJson(response, value, status));

async function failureOf(work: Promise<unknown>): Promise<OpenCodeError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenCodeError)) throw new Error(`Not an OpenCodeError: ${error}`);
  expect(error.message).not.toContain(PASSWORD);
  expect(error.message).toMatch(/^[^\n]*; [^\n]*\.$/);
  return error;
}

describe("what the client sends", () => {
  it("authenticates, and encodes ids and locations", async () => {
    const client = await answering({ output: 1 });
    await client.rpc.call({
      rpcID: "a.b",
      method: "m/n",
      input: { x: 1 },
      location: { directory: "/a b&c" },
    });
    expect(server?.received).toEqual([
      {
        method: "POST",
        url: "/api/rpc/a.b/m%2Fn?location%5Bdirectory%5D=%2Fa+b%26c",
        authorization: `Basic ${Buffer.from(`opencode:${PASSWORD}`).toString("base64")}`,
        body: '{"input":{"x":1}}',
      },
    ]);
  });

  it("sends nothing for an id that would climb in the path", async () => {
    const client = await answering({});
    expect(await failureOf(client.session.get({ sessionID: ".." }))).toBeInstanceOf(NotFoundError);
    expect(server?.received).toEqual([]);
  });
});

describe("an answer", () => {
  it("keeps unknown members and whole content exactly as they came", async () => {
    const message = JSON.parse(
      '{"z":1,"id":"msg_1","type":"assistant","time":{"created":1,"later":2},"content":[{"__proto__":{"a":1},"type":"tool","z":[1.5,null],"a":"\\ud800"},{"type":"of tomorrow"}]}',
    );
    const client = await clientOf((_, response) => {
      response.end(`{"data":${JSON.stringify(message)}}`);
    });
    const received = await client.session.message({ sessionID: "ses_1", messageID: "msg_1" });
    expect(JSON.stringify(received)).toBe(JSON.stringify(message));
  });

  it("names the member that is wrong", async () => {
    const session = {
      id: "ses_1",
      projectID: "p",
      time: { created: 1, updated: 2 },
      location: { directory: "/" },
    };
    const client = await answering({ data: [session, { ...session, time: { created: "1" } }], cursor: {} });
    const error = (await failureOf(client.session.list())) as MalformedError;
    expect(error).toBeInstanceOf(MalformedError);
    expect(error.path).toBe("data[1].time.created");
  });

  it("is malformed when an assistant's part has no type", async () => {
    const message = { id: "msg_1", type: "assistant", time: { created: 1 }, content: [{ type: "text" }, {}] };
    const client = await answering({ data: [message], cursor: {} });
    const error = (await failureOf(client.message.list({ sessionID: "ses_1" }))) as MalformedError;
    expect(error.path).toBe("data[0].content[1].type");
  });

  it("is malformed when it is a web page", async () => {
    const client = await clientOf((_, response) => response.end("<!doctype html>"));
    expect(await failureOf(client.server.info())).toBeInstanceOf(MalformedError);
  });
});

describe("a failure", () => {
  it.each([
    [401, {}, UnauthorisedError],
    [403, {}, UnauthorisedError],
    [404, { _tag: "SessionNotFoundError", message: "Session not found: ses_1" }, NotFoundError],
    [404, "nothing here", NotFoundError],
    [400, { _tag: "RpcError", type: "rpc.unavailable", message: "RPC is unavailable: x" }, RpcRefusedError],
    [500, { _tag: "RpcInternalError", message: "boom" }, RpcRefusedError],
    [400, { _tag: "InvalidCursorError", message: "Invalid cursor" }, ServerError],
    [500, null, ServerError],
    [302, null, ServerError],
  ])("of status %i with %j has its own type", async (status, body, type) => {
    const client = await answering(body, status);
    const error = await failureOf(client.session.get({ sessionID: "ses_1" }));
    expect(error).toBeInstanceOf(type);
  });

  it("says of what type an RPC's refusal is", async () => {
    const client = await answering({ _tag: "RpcError", type: "rpc.method_not_found", message: "No." }, 400);
    const error = await failureOf(client.rpc.call({ rpcID: "a", method: "b", input: {} }));
    expect(error).toMatchObject({ type: "rpc.method_not_found" });
  });

  it("does not send the password after a redirect", async () => {
    const other = await startFakeServer((_, response) => sendJson(response, {}));
    const client = await clientOf((_, response) => {
      response.writeHead(302, { location: `${other.url}/api/info` }).end();
    });
    await failureOf(client.server.info());
    expect(other.received).toEqual([]);
    await other.close();
  });

  it("is unreachable, and may have arrived, when the answer is late", async () => {
    const client = await clientOf(() => {}, 50);
    expect(await failureOf(client.server.info())).toMatchObject({
      name: "UnreachableError",
      mayHaveArrived: true,
    });
  });

  it("is unreachable, and may have arrived, when the connection is cut inside the answer", async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"version":');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await failureOf(client.server.info())).toMatchObject({
      name: "UnreachableError",
      mayHaveArrived: true,
    });
  });

  it("is unreachable, and cannot have arrived, when nobody listens", async () => {
    const client = await answering({});
    await server?.close();
    const error = await failureOf(client.server.info());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ mayHaveArrived: false, reason: "connection refused" });
  });

  it("is an abort when the caller stopped, before or during the call", async () => {
    const client = await clientOf(() => {});
    expect(await failureOf(client.server.info({ signal: AbortSignal.abort() }))).toBeInstanceOf(AbortedError);
    const stop = new AbortController();
    const call = client.session.list({}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    expect(await failureOf(call)).toBeInstanceOf(AbortedError);
  });
});
