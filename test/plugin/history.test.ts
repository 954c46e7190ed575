import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  HistoryOutput,
  type HistoryPage,
  MAX_EXCERPT_LENGTH,
  MAX_HISTORY_ROWS,
} from "../../src/contract/index.ts";
import { FakeDaemon, SESSION } from "./support/fake-daemon.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  await daemon.load();
});
afterEach(() => daemon.remove());

async function pages(input: object, between: () => void = () => {}): Promise<HistoryPage[]> {
  const all: HistoryPage[] = [];
  let cursor: string | null = null;
  do {
    const answer = await daemon.call("history", { ...input, ...(cursor === null ? {} : { cursor }) });
    const page = HistoryOutput.parse(answer);
    if (page.status !== "page") throw new Error(page.reason);
    all.push(page);
    cursor = page.cursor;
    between();
  } while (cursor !== null);
  return all;
}

async function search(query: string, more: object = {}) {
  return (await pages({ sessionID: SESSION, query, ...more })).flatMap((page) => page.hits);
}

describe("a search through history", () => {
  it.each([
    ["a text", "assistant", stored([`{"type":"text","text":"a NeeDle here"}`]), "text"],
    ["reasoning", "assistant", stored([`{"type":"reasoning","text":"needle"}`]), "reasoning"],
    ["a tool's name", "assistant", stored([TOOL.replace(`"read"`, `"needle"`)]), "tool"],
    [
      "a tool's argument",
      "assistant",
      stored([TOOL.replace(`"input":{}`, `"input":{"a":[{"b":"needle"}]}`)]),
      "tool",
    ],
    ["a tool's output", "assistant", stored([TOOL.replace("output", "the needle")]), "tool"],
    [
      "a tool's error",
      "assistant",
      stored([`{"type":"tool","state":{"status":"error","error":{"message":"needle"}}}`]),
      "tool",
    ],
    ["a user's text", "user", `{"text":"needle"}`, "text"],
    ["a synthetic text", "synthetic", `{"text":"needle"}`, "text"],
    ["a system text", "system", `{"text":"needle"}`, "text"],
    ["a skill", "skill", `{"name":"x","text":"needle"}`, "text"],
    ["a shell's command", "shell", `{"command":"needle"}`, "text"],
    ["a shell's output", "shell", `{"command":"x","output":{"output":"needle"}}`, "text"],
    ["a summary", "compaction", `{"summary":"needle"}`, "text"],
    ["text that JSON escapes", "user", `{"text":"n\\u0065edle"}`, "text"],
  ])("finds %s", async (_, type, data, kind) => {
    daemon.insertMessage(data, "msg_1", SESSION, type);
    const hits = await search("needle");
    expect(hits).toMatchObject([{ sessionID: SESSION, messageID: "msg_1", role: type, partIndex: 0, kind }]);
    expect(hits[0]?.excerpt.toLowerCase()).toContain("needle");
  });

  it.each([
    ["an attachment", "user", `{"text":"x","files":[{"data":"needle"}]}`],
    ["a provider's state", "assistant", stored([`{"type":"text","text":"x","state":{"a":"needle"}}`])],
    [
      "a tool's metadata",
      "assistant",
      stored([TOOL.replace(`"status"`, `"metadata":{"a":"needle"},"status"`)]),
    ],
    [
      "a tool's file",
      "assistant",
      stored([TOOL.replace(`{"type":"text","text":"output"}`, `{"type":"file","data":"needle"}`)]),
    ],
  ])("does not look into %s", async (_, type, data) => {
    daemon.insertMessage(data, "msg_1", SESSION, type);
    expect(await search("needle")).toEqual([]);
  });

  it("takes the query literally", async () => {
    daemon.insertMessage(stored([`{"type":"text","text":"a.b(c) [d]\\n\\"quoted\\" C:\\\\x é ÉTÉ"}`]));
    for (const query of ["a.b(c)", "[d]", `"quoted"`, "C:\\x", "été", 'b(C) [D]\n"']) {
      expect(await search(query), query).toHaveLength(1);
    }
    for (const query of ["a.b.c", "a?b", ".*", "^a"]) expect(await search(query), query).toEqual([]);
  });

  it("leaves technical parts out when asked to", async () => {
    daemon.insertMessage(stored([REASONING, TOOL, TEXT]));
    expect(await search("output", { includeTechnical: false })).toEqual([]);
    expect(await search("kept", { includeTechnical: false })).toMatchObject([{ partIndex: 2 }]);
  });

  it("gives one excerpt a message, of at most 320 characters, around what was found", async () => {
    const text = `${"a".repeat(5_000)} 🥐 needle 🥐 ${"b".repeat(5_000)} needle`;
    daemon.insertMessage(
      stored([JSON.stringify({ type: "text", text }), JSON.stringify({ type: "text", text })]),
    );
    const hits = await search("needle");
    expect(hits).toHaveLength(1);
    expect(hits[0]?.excerpt.length).toBeLessThanOrEqual(MAX_EXCERPT_LENGTH);
    expect(hits[0]?.excerpt).toContain("🥐 needle 🥐");
  });

  it("of a location goes through its sessions and those of the folders below, and no others", async () => {
    daemon.insertSession("ses_below", { directory: "/work/project/sub" });
    daemon.insertSession("ses_old", { project_id: "global" });
    daemon.insertSession("ses_beside", { directory: "/work/project2" });
    daemon.insertSession("ses_far", { project_id: "project_2" });
    daemon.insertSession("ses_space", { workspace_id: "w" });
    for (const id of [SESSION, "ses_below", "ses_old", "ses_beside", "ses_far", "ses_space"]) {
      daemon.insertMessage(stored([TEXT, TOOL]), `msg_${id}`, id);
    }
    const found = await pages({ query: "kept" });
    expect(found.flatMap((page) => page.hits.map((hit) => hit.sessionID)).sort()).toEqual([
      SESSION,
      "ses_below",
      "ses_old",
    ]);
    const sessions = found.flatMap((page) => page.sessions ?? []);
    expect(sessions).toContainEqual({
      sessionID: "ses_below",
      directory: "/work/project/sub",
      scanned: 1,
      tools: 1,
      reasoning: 0,
      skipped: 0,
    });
  });
});

describe("a page of history", () => {
  it("looks at no more than 32 messages, and the pages together at each once", async () => {
    for (let at = 0; at < 100; at += 1)
      daemon.insertMessage(stored([TEXT, TOOL, REASONING, TOOL]), `msg_${at}`);
    const all = await pages({ sessionID: SESSION, purpose: "stats" });
    for (const page of all) expect(page.scanned).toBeLessThanOrEqual(MAX_HISTORY_ROWS);
    const sum = (name: "scanned" | "tools" | "reasoning") =>
      all.reduce((total, page) => total + page[name], 0);
    expect([sum("scanned"), sum("tools"), sum("reasoning")]).toEqual([100, 200, 100]);
  });

  it("is not followed by what a running generation appends", async () => {
    for (let at = 0; at < 100; at += 1) daemon.insertMessage(stored([TEXT]), `msg_${at}`);
    let late = 0;
    const all = await pages({ sessionID: SESSION, purpose: "stats" }, () => {
      for (let at = 0; at < 50; at += 1) daemon.insertMessage(stored([TEXT]), `msg_late_${late++}`);
    });
    expect(all.reduce((total, page) => total + page.scanned, 0)).toBe(100);
  });

  it("counts as skipped what nobody can read, and goes on", async () => {
    daemon.insertMessage("no JSON", "msg_bad");
    daemon.insertMessage(`{"content":7}`, "msg_odd");
    daemon.insertMessage(stored([`{"type":"text","text":"${"x".repeat(17 * 1024 * 1024)}"}`]), "msg_large");
    daemon.insertMessage("no JSON, kept", "msg_user", SESSION, "user");
    daemon.insertMessage(stored([TEXT]), "msg_good");
    const all = await pages({ sessionID: SESSION, query: "kept" });
    expect(all.reduce((total, page) => total + page.skipped, 0)).toBe(4);
    expect(all.flatMap((page) => page.hits)).toMatchObject([{ messageID: "msg_good" }]);
  });
});

describe("candidates for a cleaning", () => {
  it("are what pruneBatch takes, and it prunes them", async () => {
    daemon.insertMessage(stored([TEXT, TOOL, REASONING, TOOL]), "msg_a");
    daemon.insertMessage(stored([TEXT]), "msg_plain");
    daemon.insertMessage(stored([TOOL]).replace(`,"completed":2`, ""), "msg_open");
    daemon.insertMessage(stored([TOOL, TEXT]), "msg_b");
    const all = await pages({ sessionID: SESSION, purpose: "prune" });
    const candidates = all.flatMap((page) => page.candidates);
    expect(candidates).toEqual([
      {
        messageID: "msg_a",
        revision: revisionOfStored(daemon.data("msg_a")),
        toolCount: 2,
        reasoningCount: 1,
      },
      {
        messageID: "msg_b",
        revision: revisionOfStored(daemon.data("msg_b")),
        toolCount: 1,
        reasoningCount: 0,
      },
    ]);
    expect(all.reduce((total, page) => total + page.skipped, 0)).toBe(1);

    const { results } = await daemon.call("pruneBatch", { sessionID: SESSION, candidates });
    expect(results).toMatchObject([
      { messageID: "msg_a", result: { status: "pruned", removedCount: 3 } },
      { messageID: "msg_b", result: { status: "pruned", removedCount: 1 } },
    ]);
    expect(daemon.data("msg_a")).toBe(stored([TEXT]));
    expect(daemon.data("msg_b")).toBe(stored([TEXT]));
    expect(
      (await pages({ sessionID: SESSION, purpose: "prune" })).flatMap((page) => page.candidates),
    ).toEqual([]);
  });
});

describe("malformed requests of history", () => {
  it.each([
    ["a prune without a session", { purpose: "prune" }, "sessionID"],
    ["an unknown purpose", { purpose: "delete" }, "purpose"],
    ["a query that is too long", { query: "x".repeat(201) }, "query"],
    ["an empty cursor", { cursor: "" }, "cursor"],
    ["an empty session", { sessionID: "" }, "sessionID"],
    ["SQL", { where: "1=1" }, "where"],
  ])("%s is refused by name", async (_, input, member) => {
    await expect(daemon.call("history", input)).rejects.toThrow(new RegExp(`rpc.invalid_input: .*${member}`));
  });
});
