import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  appendOutlines,
  MAX_LABEL_LENGTH,
  MAX_MESSAGE_BYTES,
  type MessageOutline,
  OutlineOutput,
  outlineMessage,
} from "../../../src/contract/index.ts";
import { FakeDaemon, SESSION } from "../support/fake-daemon.ts";
import { REASONING, stored, TEXT, TOOL } from "../support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  await daemon.load();
});
afterEach(() => daemon.remove());

async function outline(sessionID = SESSION): Promise<MessageOutline[]> {
  const messages: MessageOutline[] = [];
  let cursor: string | null = null;
  do {
    const answer = await daemon.read("outline", { sessionID, ...(cursor === null ? {} : { cursor }) });
    const page = OutlineOutput.parse(answer);
    if (page.status !== "page") throw new Error(page.reason);
    appendOutlines(messages, page.messages);
    cursor = page.cursor;
  } while (cursor !== null);
  return messages;
}

async function outlineOf(data: string): Promise<MessageOutline | undefined> {
  daemon.insertMessage(data);
  return (await outline())[0];
}

describe("the outline of a session", () => {
  it("tells kind, place, size, id, name, status and label of each technical part, and what stays", async () => {
    const tool = JSON.stringify({
      type: "tool",
      id: "call_7",
      name: "bash",
      state: {
        status: "error",
        input: { description: "list", command: "ls -la\nrm x" },
        error: { message: "no" },
      },
      time: { created: 1_700_000_000_500 },
    });
    expect(await outlineOf(stored([TEXT, REASONING, tool]))).toEqual({
      messageID: "msg_1",
      created: 1,
      completed: 2,
      storedBytes: Buffer.byteLength(stored([TEXT, REASONING, tool])),
      parts: [
        { index: 1, type: "reasoning", bytes: Buffer.byteLength(REASONING), label: "", created: 1 },
        {
          index: 2,
          type: "tool",
          bytes: Buffer.byteLength(tool),
          toolID: "call_7",
          toolName: "bash",
          status: "error",
          label: "ls -la",
          created: 1_700_000_000_500,
        },
      ],
      kept: { parts: 1, bytes: Buffer.byteLength(TEXT) },
    });
  });

  it("holds assistant messages alone, in the session's order", async () => {
    daemon.insertMessage(`{"text":"hi","time":{"created":1}}`, "msg_user", SESSION, "user");
    daemon.insertMessage(stored([TEXT]), "msg_z");
    daemon.insertMessage(stored([TOOL]), "msg_a");
    expect((await outline()).map((message) => message.messageID)).toEqual(["msg_z", "msg_a"]);
  });

  it("lets no content out: neither text, nor output, nor reasoning", async () => {
    const secret = "S3CRET";
    daemon.insertMessage(
      stored([
        `{"type":"text","text":"${secret}"}`,
        `{"type":"reasoning","text":"${secret}","time":{"created":1}}`,
        `{"type":"tool","id":"c","name":"read","state":{"status":"completed","input":{"filePath":"/a"},"content":[{"type":"text","text":"${secret}"}],"metadata":{"x":"${secret}"}},"time":{"created":1}}`,
      ]),
    );
    expect(JSON.stringify(await daemon.read("outline", { sessionID: SESSION }))).not.toContain(secret);
  });

  it("cuts labels at one line and at 160 characters, and takes the first string where no member is known", async () => {
    const input = { deep: { filePath: "/no" }, amount: 3, topic: `  ${"t".repeat(5_000)}\nmore`, other: "x" };
    const tool = TOOL.replace(`"input":{}`, `"input":${JSON.stringify(input)}`);
    const label = (await outlineOf(stored([tool])))?.parts[0]?.label;
    expect(label).toBe("t".repeat(MAX_LABEL_LENGTH));
  });

  it("measures the part's JSON in UTF-8 bytes", async () => {
    const part = `{"type":"reasoning","text":"smörgåsbord 🥐 \\u00e9\\n"}`;
    expect((await outlineOf(stored([part])))?.parts[0]?.bytes).toBe(Buffer.byteLength(part));
  });
});

describe("what cannot be pruned says why", () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ["a completed message", stored([TEXT, TOOL]), undefined],
    ["a message that is not completed", stored([TOOL]).replace(`,"completed":2`, ""), "incomplete"],
    [
      "a completion that is no number",
      stored([TOOL]).replace(`"completed":2`, `"completed":"2"`),
      "incomplete",
    ],
    ["a tool that runs", stored([TOOL.replace("completed", "running")]), "unsettled_tool"],
    ["a tool without a state", stored([`{"type":"tool","id":"c","name":"x"}`]), "unsettled_tool"],
    ["a part of an unknown kind", stored([TOOL, `{"type":"image"}`]), "unknown_part"],
    ["a part without a kind", stored([TOOL, `{}`]), "unknown_part"],
    ["elements that are no parts", stored([`null`, `7`, `"x"`, `[1]`, `true`]), "unknown_part"],
    ["a row that is no JSON", `{"time":{"created":1},"content":[`, "malformed"],
    ["a row that is JSON5 only", `{time:{created:1,completed:2},content:[]}`, "malformed"],
    ["a content that is no array", `{"time":{"created":1,"completed":2},"content":{"0":1}}`, "malformed"],
    ["a row without content", `{"time":{"created":1,"completed":2}}`, "malformed"],
    ["a row that is an array", `[1,2]`, "malformed"],
    ["an empty row", ``, "malformed"],
    ["a row nested too deeply for SQLite", `{"content":${"[".repeat(3000)}${"]".repeat(3000)}}`, "malformed"],
  ];
  it.each(cases)("%s", async (_, data, unprunable) => {
    daemon.insertMessage(stored([TEXT]), "msg_before");
    daemon.insertMessage(data, "msg_case");
    daemon.insertMessage(stored([TEXT]), "msg_after");
    const messages = await outline();
    expect(messages.map((message) => message.messageID)).toEqual(["msg_before", "msg_case", "msg_after"]);
    expect(messages[1]?.unprunable).toBe(unprunable);
  });

  it("a row of 17 MiB, without taking it apart", async () => {
    const text = "x".repeat(17 * 1024 * 1024);
    daemon.insertMessage(stored([`{"type":"reasoning","text":"${text}"}`]), "msg_large");
    daemon.insertMessage(stored([TOOL]), "msg_after");
    const [large, after] = await outline();
    expect(large).toMatchObject({ messageID: "msg_large", unprunable: "too_large", parts: [] });
    expect(large?.storedBytes).toBeGreaterThan(MAX_MESSAGE_BYTES);
    expect(after?.parts).toHaveLength(1);
  });

  it("a row that is stored as bytes", async () => {
    daemon.database
      .prepare("INSERT INTO session_message VALUES ('msg_b', ?, 'assistant', 1, 1, 1, ?)")
      .run(SESSION, Buffer.from(stored([TOOL])));
    expect((await outline())[0]).toMatchObject({ messageID: "msg_b", unprunable: "malformed" });
  });

  it("more than 100,001 parts", async () => {
    daemon.insertMessage(stored(new Array(100_002).fill(`{"type":"text"}`)));
    expect((await outline())[0]?.unprunable).toBe("too_large");
  });

  it("a whole session that runs", async () => {
    daemon.insertMessage(stored([TOOL]));
    expect((await daemon.read("outline", { sessionID: SESSION })).blocked).toBeNull();
    daemon.database.exec("UPDATE session_v2 SET time_suspended = 5");
    expect((await daemon.read("outline", { sessionID: SESSION })).blocked).toBe("maintenance_required");
  });
});

describe("pages", () => {
  it("are many for many messages, and hold each message once", async () => {
    for (let at = 0; at < 3_000; at += 1) daemon.insertMessage(stored([TEXT, REASONING, TOOL]), `msg_${at}`);
    const first = await daemon.read("outline", { sessionID: SESSION });
    expect(first.messages.length).toBeLessThan(3_000);
    const ids = (await outline()).map((message) => message.messageID);
    expect(ids).toEqual(Array.from({ length: 3_000 }, (_, at) => `msg_${at}`));
  });

  it("split a message with very many parts, and a reader joins it again", async () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => (at % 2 ? TOOL : TEXT));
    daemon.insertMessage(stored([TEXT]), "msg_before");
    daemon.insertMessage(stored(parts), "msg_many");
    daemon.insertMessage(stored([TEXT]), "msg_after");
    const first = OutlineOutput.parse(await daemon.read("outline", { sessionID: SESSION }));
    expect(first).toMatchObject({ status: "page", cursor: expect.any(String) });
    const messages = await outline();
    expect(messages.map((message) => message.messageID)).toEqual(["msg_before", "msg_many", "msg_after"]);
    expect(messages[1]).toEqual(outlineMessage({ id: "msg_many", ...JSON.parse(stored(parts)) }));
  });

  it("go on behind a split message that was deleted meanwhile", async () => {
    daemon.insertMessage(stored(new Array(5_000).fill(TOOL)), "msg_many");
    daemon.insertMessage(stored([TEXT, TOOL]), "msg_after");
    const { cursor } = await daemon.read("outline", { sessionID: SESSION });
    daemon.database.exec("DELETE FROM session_message WHERE id = 'msg_many'");
    const rest = await daemon.read("outline", { sessionID: SESSION, cursor });
    const messages: MessageOutline[] = [];
    appendOutlines(messages, rest.messages);
    expect(messages).toEqual([outlineMessage({ id: "msg_after", ...JSON.parse(stored([TEXT, TOOL])) })]);
    expect(rest.cursor).toBeNull();
  });

  it("show what was written between two of them, although the next one is read ahead", async () => {
    for (let at = 0; at < 3_000; at += 1) daemon.insertMessage(stored([TOOL]), `msg_${at}`);
    const { cursor } = await daemon.read("outline", { sessionID: SESSION });
    await new Promise((resolve) => setTimeout(resolve, 50));
    daemon.database.exec(`UPDATE session_message SET data = '${stored([TEXT])}' WHERE id = 'msg_2999'`);
    const ids: MessageOutline[] = [];
    let next = cursor;
    while (next) {
      const page = await daemon.read("outline", { sessionID: SESSION, cursor: next });
      appendOutlines(ids, page.messages);
      next = page.cursor;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(ids.at(-1)).toMatchObject({ messageID: "msg_2999", parts: [] });
    expect(ids.at(-2)).toMatchObject({ messageID: "msg_2998", parts: [{ index: 0 }] });
  });

  it("are not lengthened by what is written during the scan", async () => {
    for (let at = 0; at < 3_000; at += 1) daemon.insertMessage(stored([TOOL]), `msg_${at}`);
    let { cursor } = await daemon.read("outline", { sessionID: SESSION });
    daemon.insertMessage(stored([TOOL]), "msg_late");
    const ids: string[] = [];
    while (cursor) {
      const page = await daemon.read("outline", { sessionID: SESSION, cursor });
      ids.push(...page.messages.map((message: unknown[]) => message[0]));
      cursor = page.cursor;
    }
    expect(ids.at(-1)).toBe("msg_2999");
  });
});

describe("the two ways to an outline", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 300 });
  const input = fc.oneof(
    text,
    fc.dictionary(
      fc.constantFrom("filePath", "command", "pattern", "query", "x", "y"),
      fc.oneof(text, fc.nat()),
    ),
  );
  const part = fc.oneof(
    fc.record({ type: fc.constant("text"), text }),
    fc.record({ type: fc.constant("image"), data: text }),
    fc.record({ type: fc.constant("reasoning"), text, time: fc.record({ created: fc.nat() }) }),
    fc.record({
      type: fc.constant("tool"),
      id: fc.string({ maxLength: 300 }),
      name: text,
      state: fc.record({
        status: fc.constantFrom("streaming", "running", "completed", "error"),
        input,
        content: fc.array(fc.record({ type: fc.constant("text"), text })),
      }),
      time: fc.record({ created: fc.nat() }),
    }),
  );
  const message = fc.record({
    time: fc.record({ created: fc.nat(), completed: fc.option(fc.nat(), { nil: undefined }) }),
    content: fc.array(part, { maxLength: 12 }),
    finish: text,
  });

  it("through the plugin and from the whole message, say the same", async () => {
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        daemon.database.exec("DELETE FROM session_message");
        const data = JSON.stringify(one);
        const expected = outlineMessage({ id: "msg_1", ...JSON.parse(data) });
        expect(await outlineOf(data)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});
