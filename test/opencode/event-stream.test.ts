import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import {
  AbortedError,
  MalformedError,
  OpenCode,
  type OpenCodeEvent,
  UnauthorisedError,
  UnreachableError,
} from "#opencode/client";
import { type FakeServer, sendJson, startFakeServer } from "./support/fake-server.ts";

let server: FakeServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(answer: (response: ServerResponse) => void) {
  server = await startFakeServer((_, response) => answer(response));
  return OpenCode.make({ baseUrl: server.url });
}

function open(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

const eventOf = (type: string, data: unknown = {}) =>
  `data: ${JSON.stringify({ id: "evt_1", created: 1, type, data })}\n\n`;

async function collect(events: AsyncIterable<OpenCodeEvent>) {
  const types: string[] = [];
  let failure: unknown;
  try {
    for await (const event of events) types.push(event.type);
  } catch (error) {
    failure = error;
  }
  return { types, failure };
}

describe("the event stream", () => {
  it("puts events together that come in pieces, in the middle of a character too", async () => {
    const bytes = Buffer.from(eventOf("one", "…") + eventOf("two"));
    const client = await clientOf(async (response) => {
      open(response);
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const events = [];
    for await (const event of client.event.subscribe()) events.push(event);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["one", "…"],
      ["two", {}],
    ]);
  });

  it("ends when the server ends it, and drops an event that was cut off", async () => {
    const client = await clientOf((response) => {
      open(response);
      response.end(`${eventOf("whole")}data: {"id":"evt_`);
    });
    expect(await collect(client.event.subscribe())).toEqual({ types: ["whole"], failure: undefined });
  });

  it("fails as unreachable when the connection breaks", async () => {
    const client = await clientOf((response) => {
      open(response);
      response.write(eventOf("before"));
      setTimeout(() => response.destroy(), 30);
    });
    const { types, failure } = await collect(client.event.subscribe());
    expect(types).toEqual(["before"]);
    expect(failure).toBeInstanceOf(UnreachableError);
  });

  it("fails as unauthorised, unreachable or malformed when it does not open", async () => {
    const refusing = await clientOf((response) => sendJson(response, {}, 401));
    expect((await collect(refusing.event.subscribe())).failure).toBeInstanceOf(UnauthorisedError);
    await server?.close();
    expect((await collect(refusing.event.subscribe())).failure).toBeInstanceOf(UnreachableError);
    const page = await clientOf((response) => response.end("<html>"));
    expect((await collect(page.event.subscribe())).failure).toBeInstanceOf(MalformedError);
  });

  it("tells that it is alive on a heartbeat", async () => {
    const client = await clientOf((response) => {
      open(response);
      response.end(": heartbeat\n\n");
    });
    let alive = 0;
    const { types } = await collect(client.event.subscribe({ onAlive: () => alive++ }));
    expect(types).toEqual([]);
    expect(alive).toBeGreaterThan(0);
  });

  it("never parses events of types that nobody wants", async () => {
    const unparsable = 'data: {"id":"evt_1","created":1.5,"type":"delta","data":{broken}}\n\n';
    const client = await clientOf((response) => {
      open(response);
      response.end(unparsable + eventOf("wanted") + unparsable);
    });
    const { types, failure } = await collect(client.event.subscribe({ wants: (type) => type === "wanted" }));
    expect(failure).toBeUndefined();
    expect(types).toEqual(["wanted"]);
  });

  it("still filters an event whose members come in another order", async () => {
    const client = await clientOf((response) => {
      open(response);
      response.write('data: {"type":"delta","id":"evt_1","data":{"type":"wanted"}}\n\n');
      response.end('data: {"data":{},"id":"evt_2","type":"wanted"}\n\n');
    });
    const { types } = await collect(client.event.subscribe({ wants: (type) => type === "wanted" }));
    expect(types).toEqual(["wanted"]);
  });

  it.each(["data: nonsense\n\n", 'data: {"id":"evt_1"}\n\n'])("is malformed on %j", async (text) => {
    const client = await clientOf((response) => {
      open(response);
      response.end(text);
    });
    expect((await collect(client.event.subscribe())).failure).toBeInstanceOf(MalformedError);
  });

  it("ends with an abort when the caller stops, also while nothing comes", async () => {
    const client = await clientOf((response) => {
      open(response);
      response.write(eventOf("first"));
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const { types, failure } = await collect(client.event.subscribe({ signal: stop.signal }));
    expect(types).toEqual(["first"]);
    expect(failure).toBeInstanceOf(AbortedError);
  });

  it("closes the connection when the loop is left", async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const client = await clientOf((response) => {
      open(response);
      response.on("close", () => closed?.());
      response.write(eventOf("first"));
    });
    for await (const event of client.event.subscribe()) {
      expect(event.type).toBe("first");
      break;
    }
    await gone;
  });
});
