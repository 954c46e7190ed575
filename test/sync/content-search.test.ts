import { describe, expect, it } from "vitest";
import { type OpenCodeClient, RpcRefusedError } from "../../src/opencode/index.ts";
import { type FoundContent, searchContent } from "../../src/sync/index.ts";

const signal = new AbortController().signal;
const session = (sessionID: string, directory: string, projectID = "p") => ({
  sessionID,
  directory,
  projectID,
});

interface Asked {
  readonly directory: string;
  readonly input: Record<string, unknown>;
}

function daemon(history: ((asked: Asked) => unknown) | undefined, messages: Record<string, object[]> = {}) {
  const asked: Asked[] = [];
  const client = {
    rpc: {
      call: async ({
        input,
        location,
      }: {
        input: Record<string, unknown>;
        location: { directory: string };
      }) => {
        asked.push({ directory: location.directory, input });
        if (!history) throw new RpcRefusedError("rpc.unavailable", "nobody");
        return { output: history({ directory: location.directory, input }) };
      },
    },
    message: {
      list: async ({ sessionID }: { sessionID: string }) => ({ data: messages[sessionID] ?? [], cursor: {} }),
    },
  } as unknown as OpenCodeClient;
  return { client, asked };
}

const hit = (messageID: string) => ({
  sessionID: "ses_1",
  messageID,
  role: "user",
  partIndex: 0,
  kind: "text",
  excerpt: "x",
});
const page = (ids: string[], cursor: string | null = null) => ({
  status: "page",
  scanned: 3,
  tools: 0,
  reasoning: 0,
  skipped: 1,
  hits: ids.map(hit),
  candidates: [],
  cursor,
});

async function all(steps: AsyncGenerator<FoundContent>): Promise<FoundContent[]> {
  const found: FoundContent[] = [];
  for await (const step of steps) found.push(step);
  return found;
}

describe("a search for content", () => {
  it("goes through the plugin's pages, at as few locations as cover the sessions", async () => {
    const { client, asked } = daemon(({ input }) =>
      input.cursor ? page(["msg_2"]) : page([`msg_${input.cursor}`], "next"),
    );
    const sessions = [
      session("ses_1", "/a/b"),
      session("ses_2", "/a"),
      session("ses_3", "/a/b/c", "global"),
      session("ses_4", "/ab"),
      session("ses_5", "/a/b", "q"),
    ];
    await all(searchContent(client, { query: "x", sessions }, signal));
    expect(asked.map(({ directory, input }) => [directory, input.cursor])).toEqual([
      ["/a", undefined],
      ["/a", "next"],
      ["/ab", undefined],
      ["/ab", "next"],
      ["/a/b", undefined],
      ["/a/b", "next"],
    ]);
  });

  it("of one session asks at its own location", async () => {
    const { client, asked } = daemon(() => page(["msg_1"]));
    const sessions = [session("ses_1", "/a"), session("ses_2", "/a/b")];
    await all(searchContent(client, { query: "x", sessions, sessionID: "ses_2" }, signal));
    expect(asked).toMatchObject([{ directory: "/a/b", input: { sessionID: "ses_2", purpose: "search" } }]);
  });

  it("tells each message once", async () => {
    const { client } = daemon(() => page(["msg_1"]));
    const sessions = [session("ses_1", "/a"), session("ses_2", "/b")];
    const found = await all(searchContent(client, { query: "x", sessions }, signal));
    expect(found.flatMap((step) => step.hits)).toHaveLength(1);
  });

  it("reads the messages itself where nobody serves it, with the same rules", async () => {
    const { client } = daemon(undefined, {
      ses_1: [
        { id: "msg_1", type: "user", text: "a NEEDLE", time: { created: 1 } },
        {
          id: "msg_2",
          type: "assistant",
          content: [{ type: "reasoning", text: "needle" }],
          time: { created: 1 },
        },
        { id: "msg_3", type: "user", text: "no", files: [{ data: "needle" }], time: { created: 1 } },
      ],
    });
    const sessions = [session("ses_1", "/a")];
    const found = await all(searchContent(client, { query: "needle", sessions }, signal));
    expect(found).toMatchObject([{ scanned: 3, through: "native" }]);
    expect(found[0]?.hits.map((one) => [one.messageID, one.kind])).toEqual([
      ["msg_1", "text"],
      ["msg_2", "reasoning"],
    ]);
    const plain = await all(
      searchContent(client, { query: "needle", sessions, includeTechnical: false }, signal),
    );
    expect(plain[0]?.hits.map((one) => one.messageID)).toEqual(["msg_1"]);
  });

  it("goes on natively where the plugin refuses", async () => {
    const { client } = daemon(() => ({ status: "blocked", reason: "unsupported_storage" }), {
      ses_1: [{ id: "msg_1", type: "user", text: "x", time: { created: 1 } }],
    });
    const found = await all(
      searchContent(client, { query: "x", sessions: [session("ses_1", "/a")] }, signal),
    );
    expect(found).toMatchObject([{ through: "native", hits: [{ messageID: "msg_1" }] }]);
  });

  it("finds nothing for an empty query, and asks nobody", async () => {
    const { client, asked } = daemon(() => page(["msg_1"]));
    expect(
      await all(searchContent(client, { query: "", sessions: [session("ses_1", "/a")] }, signal)),
    ).toEqual([]);
    expect(asked).toEqual([]);
  });
});
