import { describe, expect, it } from "vitest";
import { createContentSearch } from "../../src/commands/content-search.ts";
import type { OpenCodeClient } from "../../src/opencode/index.ts";
import type { HistorySnapshot, SearchStep } from "../../src/state/index.ts";
import { message, outline, session } from "../components/fake-ports.ts";

const { signal } = new AbortController();
const hit = (sessionID: string, messageID: string, role = "assistant") => ({
  sessionID,
  messageID,
  role,
  partIndex: 2,
  kind: "text",
  excerpt: "a lamp",
});

/** A daemon whose plugin finds these hits, and what the app knows of its sessions. */
function world(hits: readonly ReturnType<typeof hit>[], known: Partial<HistorySnapshot> = {}) {
  const read: string[] = [];
  const asked: string[] = [];
  const client = {
    session: {
      async message({ messageID }: { messageID: string }) {
        read.push(messageID);
        if (messageID === "msg_gone") throw new Error("no such message");
        return { time: { created: 5 } };
      },
    },
    rpc: {
      async call({ location }: { location: { directory: string } }) {
        asked.push(location.directory);
        const page = { status: "page", scanned: 9, skipped: 1, tools: 0, reasoning: 0, hits, candidates: [] };
        return { output: { ...page, cursor: null } };
      },
    },
  } as unknown as OpenCodeClient;
  const snapshot = {
    server: "",
    connection: { phase: "live", attempt: 0 },
    listed: true,
    sessions: new Map([["ses_1", session("ses_1", { directory: "/known" })]]),
    outlines: new Map([["ses_1", outline("ses_1", [message("msg_shown", [], { created: 1 })])]]),
    ...known,
  } as const;
  const search = createContentSearch({
    client,
    history: { snapshot: () => snapshot },
    source: {
      async *sessions() {
        yield [session("ses_1", { directory: "/listed" })];
      },
    },
    cache: {
      outline: (sessionID) =>
        sessionID === "ses_kept"
          ? { messages: [message("msg_kept", [], { created: 2 })], others: { messages: 0, bytes: 0 } }
          : undefined,
    },
  });
  const find = async (sessionID?: string): Promise<SearchStep[]> => {
    const steps: SearchStep[] = [];
    const query = { text: "lamp", ...(sessionID === undefined ? {} : { sessionID }) };
    for await (const step of search.search(query, signal)) steps.push(step);
    return steps;
  };
  return { find, read, asked };
}

describe("searching content for the app", () => {
  it("tells when a message was created, and reads it only where nothing is known of it", async () => {
    const { find, read } = world([
      hit("ses_1", "msg_shown"),
      hit("ses_kept", "msg_kept"),
      hit("ses_kept", "msg_asked", "user"),
      hit("ses_1", "msg_gone"),
    ]);
    const [step, ...others] = await find();
    expect(others).toEqual([]);
    expect(step).toMatchObject({ scanned: 9, skipped: 1, through: "plugin" });
    expect(step?.hits.map(({ messageID, created }) => [messageID, created])).toEqual([
      ["msg_shown", 1],
      ["msg_kept", 2],
      ["msg_asked", 5],
      ["msg_gone", undefined],
    ]);
    expect(read).toEqual(["msg_asked", "msg_gone"]);
  });

  it("searches the sessions that are known, and lists them where they are not", async () => {
    const listed = world([]);
    await listed.find();
    expect(listed.asked).toEqual(["/known"]);
    const unlisted = world([], { listed: false, sessions: new Map() });
    await unlisted.find();
    expect(unlisted.asked).toEqual(["/listed"]);
  });

  it("searches one session alone", async () => {
    const { find, asked } = world([]);
    await find("ses_other");
    expect(asked).toEqual([]);
    await find("ses_1");
    expect(asked).toEqual(["/known"]);
  });
});
