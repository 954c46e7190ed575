import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appendOutlines,
  type MessageOutline,
  OutlineOutput,
  outlineMessage,
  READING_RPC,
} from "../../src/contract/index.ts";
import { OpenCode, passwordHeaders } from "../../src/opencode/index.ts";
import { createNativeSource, createRpcSource, type RpcSource, searchContent } from "../../src/sync/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";

let pruning: PruningDaemon;
const read = (method: string, input: unknown, options: { directory?: string; signal?: AbortSignal } = {}) =>
  pruning.rpc(method, input, { rpcID: READING_RPC, ...options });
const client = () =>
  OpenCode.make({ baseUrl: pruning.daemon.url, headers: passwordHeaders(pruning.daemon.password) });
const never = new AbortController().signal;

beforeAll(async () => {
  pruning = await startPruningDaemon();
  await pruning.importSession("ses_read", [
    userMessage("msg_read_user", "hello needle"),
    ...Array.from({ length: 300 }, (_, at) =>
      assistantMessage(`msg_read_${String(at).padStart(4, "0")}`, [
        textPart(`text ${at}`),
        reasoningPart("thought"),
        toolPart(`call_${at}`, "output ".repeat(200)),
      ]),
    ),
  ]);
});
afterAll(() => pruning?.remove());

/** Changes a row behind the daemon's back, as only a broken history would look. */
function tamper(sql: string, ...values: unknown[]): void {
  const database = new Database(pruning.daemon.database, { timeout: 5_000 });
  database.prepare(sql).run(...values);
  database.close();
}

async function outline(sessionID: string): Promise<MessageOutline[]> {
  const messages: MessageOutline[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await read("outline", { sessionID, ...(cursor === null ? {} : { cursor }) });
    const page = OutlineOutput.parse(body.output);
    if (page.status !== "page") throw new Error(page.reason);
    appendOutlines(messages, page.messages);
    cursor = page.cursor;
  } while (cursor !== null);
  return messages;
}

describe("reading on the real daemon", () => {
  it("outlines what message.list would show", async () => {
    const page = await client().message.list({ sessionID: "ses_read", limit: 200, order: "asc" });
    const expected = page.data
      .filter((message) => message.type === "assistant")
      .map((message) => outlineMessage(message as never));
    const outlined = await outline("ses_read");
    expect(outlined).toHaveLength(300);
    expect(outlined.slice(0, expected.length)).toEqual(expected);
  });

  it("gives the usage of all sessions from a location that has none of them", async () => {
    const { body } = await read("usage", {}, { directory: pruning.daemon.home });
    const database = new Database(pruning.daemon.database, { readonly: true });
    const bare = database
      .prepare(
        "SELECT count(*) AS messages, sum(octet_length(data)) AS storedBytes FROM session_message WHERE session_id = 'ses_read'",
      )
      .get();
    const { seq } = database
      .prepare("SELECT seq FROM event_sequence WHERE aggregate_id = 'ses_read'")
      .get() as { seq: number };
    database.close();
    expect(body.output.sessions).toContainEqual({
      sessionID: "ses_read",
      ...(bare as object),
      newestSequence: seq,
    });
  });

  it("refuses to outline a session at another location", async () => {
    const { body } = await read("outline", { sessionID: "ses_read" }, { directory: pruning.daemon.home });
    expect(body.output).toEqual({ status: "refused", reason: "other_location" });
  });

  it("leaves no nonce behind", () => {
    const database = new Database(pruning.daemon.database, { readonly: true });
    expect(database.prepare("SELECT key FROM kv WHERE key LIKE 'plugin:%identity/%'").all()).toEqual([]);
    database.close();
  });

  it("says by name what is wrong with a request", async () => {
    const { status, body } = await read("usage", { sessionIDs: ["a", "a"] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ _tag: "RpcError", type: "rpc.invalid_input" });
    expect(body.message).toContain("sessionIDs must be 1 to 1000 different ids");
    expect((await read("erase", {})).body.type).toBe("rpc.method_not_found");
  });

  it("survives every kind of broken row, and tells of each", async () => {
    const kinds = ["good", "nojson", "notarray", "large", "deep", "blob", "last"];
    await pruning.importSession(
      "ses_broken",
      kinds.map((kind) => assistantMessage(`msg_broken_${kind}`, [toolPart(`call_${kind}`, "x")])),
    );
    const set = (kind: string, data: unknown) =>
      tamper("UPDATE session_message SET data = ? WHERE id = ?", data, `msg_broken_${kind}`);
    set("nojson", '{"content":[');
    set("notarray", '{"time":{"created":1,"completed":2},"content":{}}');
    set("large", JSON.stringify({ content: [{ type: "text", text: "x".repeat(17 * 1024 * 1024) }] }));
    set("deep", `{"content":${"[".repeat(2_000)}${"]".repeat(2_000)}}`);
    set("blob", Buffer.from([0, 255, 1]));
    const reasons = (await outline("ses_broken")).map(({ messageID, unprunable }) => [messageID, unprunable]);
    expect(reasons).toEqual([
      ["msg_broken_good", undefined],
      ["msg_broken_nojson", "malformed"],
      ["msg_broken_notarray", "malformed"],
      ["msg_broken_large", "too_large"],
      ["msg_broken_deep", "malformed"],
      ["msg_broken_blob", "malformed"],
      ["msg_broken_last", undefined],
    ]);
    const history = await pruning.rpc("history", { sessionID: "ses_broken", purpose: "prune" });
    expect(history.body.output).toMatchObject({ status: "page", scanned: 7, skipped: 5 });
    expect(history.body.output.candidates).toHaveLength(2);
    const { body } = await read("fingerprint", { sessionIDs: ["ses_broken"] });
    expect(body.output.fingerprints).toHaveLength(1);
  });

  it("changes the fingerprint with a prune and with every native write, and with nothing else", async () => {
    const fingerprint = async () =>
      (await read("fingerprint", { sessionIDs: ["ses_read"] })).body.output.fingerprints[0].fingerprint;
    const before = await fingerprint();
    expect(await fingerprint()).toBe(before);
    const { body } = await pruning.rpc("preview", { sessionID: "ses_read", messageID: "msg_read_0007" });
    await pruning.rpc("prune", {
      sessionID: "ses_read",
      messageID: "msg_read_0007",
      revision: body.output.revision,
      indexes: [1],
    });
    expect(await fingerprint()).not.toBe(before);
  });

  it("stops the scan of a caller who left, and answers others meanwhile", async () => {
    const caller = new AbortController();
    const left = read("outline", { sessionID: "ses_read" }, { signal: caller.signal });
    setTimeout(() => caller.abort(), 2);
    await left.catch(() => {});
    expect((await read("usage", { sessionIDs: ["ses_read"] })).body.output.status).toBe("page");
  });
});

describe("the app's source on the real daemon", () => {
  let source: RpcSource;
  beforeAll(async () => {
    source = createRpcSource(client());
    for await (const _ of source.sessions(never));
  });

  it("says through the plugin what it would say through the daemon's own API", async () => {
    const native = createNativeSource(client());
    const [through, own] = [await source.outline("ses_read", never), await native.outline("ses_read", never)];
    expect(through?.messages).toEqual(own?.messages);
    expect(through?.others.messages).toBe(1);
    expect(source.readsThrough.outline).toBe("plugin");
    expect(await source.outline("ses_gone", never)).toBeUndefined();
  });

  it("has exact fingerprints, and one of them with the outline", async () => {
    const listing = await source.session("ses_read", never);
    const fingerprints = await source.fingerprints(listing ? [listing] : [], never);
    expect(source.fingerprintKind).toBe("exact");
    expect((await source.outline("ses_read", never))?.fingerprint).toBe(fingerprints.get("ses_read"));
  });

  it("knows the totals of every session", async () => {
    const totals = (await source.usage(never))?.get("ses_read");
    expect(totals?.messages).toBe(301);
  });

  it("searches content", async () => {
    const sessions = [{ sessionID: "ses_read", directory: pruning.directory, projectID: "global" }];
    const found = [];
    for await (const step of searchContent(client(), { query: "NEEDLE", sessions }, never)) found.push(step);
    expect(found.flatMap((step) => step.hits)).toMatchObject([
      {
        sessionID: "ses_read",
        messageID: "msg_read_user",
        role: "user",
        kind: "text",
        excerpt: "hello needle",
      },
    ]);
    expect(new Set(found.map((step) => step.through))).toEqual(new Set(["plugin"]));
  });
});
