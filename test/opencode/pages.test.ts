import { afterEach, describe, expect, it } from "vitest";
import { OpenCode } from "#opencode/client";
import { messagePages, sessionPages } from "../../src/opencode/index.ts";
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
