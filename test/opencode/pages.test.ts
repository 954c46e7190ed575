import { afterEach, describe, expect, it } from "vitest";
import { OpenCode } from "#opencode/client";
import { answerPages, messagePages, sessionPages } from "../../src/opencode/index.ts";
import { type FakeServer, sendJson, startFakeServer } from "./support/fake-server.ts";

let server: FakeServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A server with so many items; like the daemon, it names a next page after every page that is not empty. */
async function serving(count: number, item: (index: number) => object) {
  server = await startFakeServer(({ url }, response) => {
    const query = new URL(url, "http://localhost").searchParams;
    const from = Number(query.get("cursor") ?? 0);
    const to = Math.min(count, from + Number(query.get("limit")));
    const data = Array.from({ length: to - from }, (_, index) => item(from + index));
    sendJson(response, { data, cursor: data.length > 0 ? { next: String(to) } : {} });
  });
  return OpenCode.make({ baseUrl: server.url });
}

const session = (index: number) => ({
  id: `ses_${index}`,
  projectID: "p",
  time: { created: index, updated: index },
  location: { directory: "/" },
});
const message = (index: number) => ({
  id: `msg_${index}`,
  type: "assistant",
  time: { created: index },
  content: [],
});

describe("reading page by page", () => {
  it.each([
    [0, 1],
    [3, 1],
    [2_000, 2],
    [4_001, 3],
  ])("gives %i sessions once each, in %i requests", async (count, requests) => {
    const client = await serving(count, session);
    const ids: string[] = [];
    for await (const page of sessionPages(client)) ids.push(...page.map(({ id }) => id));
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `ses_${index}`));
    expect(server?.received).toHaveLength(requests);
  });

  it("asks for assistant messages only, with an order on the first page alone", async () => {
    const client = await serving(201, message);
    let count = 0;
    for await (const page of messagePages(client, { sessionID: "ses_1", type: "assistant" }))
      count += page.length;
    expect(count).toBe(201);
    expect(server?.received.map(({ url }) => url)).toEqual([
      "/api/session/ses_1/message?limit=200&type=assistant&order=asc",
      "/api/session/ses_1/message?limit=200&type=assistant&cursor=200",
    ]);
  });
});

describe("a method that a plugin answers page by page", () => {
  /** Answers `a`, `b`, … with the next letter as the cursor, and notes what it was asked and what was read of it. */
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const check = (answer: unknown) => {
    const { page } = answer as { page?: string };
    asked.push(`checked ${page}`);
    return page;
  };
  const letters = (last: string) => async (cursor: string | undefined, signal: AbortSignal) => {
    const page = cursor ?? "a";
    asked.push(`asked ${page}`);
    signals.push(signal);
    return { page, cursor: page === last ? null : String.fromCharCode(page.charCodeAt(0) + 1) };
  };
  afterEach(() => {
    asked.length = 0;
    signals.length = 0;
  });

  it("is asked for the next page before this one is checked", async () => {
    const pages: unknown[] = [];
    for await (const page of answerPages({ ask: letters("c"), check }, undefined)) pages.push(page);
    expect(pages).toEqual(["a", "b", "c"]);
    expect(asked).toEqual(["asked a", "asked b", "checked a", "asked c", "checked b", "checked c"]);
  });

  it("takes its question back when the caller leaves, and when the caller's signal aborts", async () => {
    for await (const _ of answerPages({ ask: letters("z"), check }, undefined)) break;
    expect(asked).toEqual(["asked a", "asked b", "checked a"]);
    expect(signals.at(-1)?.aborted).toBe(true);

    const caller = new AbortController();
    const pages = answerPages({ ask: letters("z"), check }, caller.signal);
    await pages.next();
    expect(signals.at(-1)?.aborted).toBe(false);
    caller.abort();
    expect(signals.at(-1)?.aborted).toBe(true);
    await pages.return();
  });

  it("ends with undefined at an answer that is not what it promises", async () => {
    const answers = [{ page: "a", cursor: "b" }, { cursor: "c" }, { page: "c", cursor: null }];
    const pages: unknown[] = [];
    const ask = async () => answers.shift();
    for await (const page of answerPages({ ask, check }, undefined)) pages.push(page);
    expect(pages).toEqual(["a", undefined]);
  });

  it("throws what a page failed with, after the pages before it, and once", async () => {
    const pages: unknown[] = [];
    const ask = async (cursor: string | undefined) => {
      if (cursor === "b") throw new Error("torn");
      return { page: "a", cursor: "b" };
    };
    const reading = async () => {
      for await (const page of answerPages({ ask, check }, undefined)) pages.push(page);
    };
    await expect(reading()).rejects.toThrow("torn");
    expect(pages).toEqual(["a"]);
  });
});
