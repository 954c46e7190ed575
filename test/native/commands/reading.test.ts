import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  assistantMessage,
  reasoningPart,
  runningToolPart,
  textPart,
  toolPart,
  userMessage,
} from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli } from "../support/run-cli.ts";

/** A session with something of everything, and another one. */
const SESSION = "ses_shown";
const MESSAGE = "msg_shown";

let native: PruningDaemon;

beforeAll(async () => {
  native = await startPruningDaemon();
  await native.importSession(SESSION, [
    userMessage("msg_asked", "Where is the Needle?"),
    assistantMessage(MESSAGE, [
      textPart("It is in the hay\u001b[2J."),
      reasoningPart("because\u001b[31m of this"),
      toolPart("call_1", "a needle \u009b2J here", { input: { filePath: "/project/hay.ts" } }),
      toolPart("call_2", "", { status: "error", error: { type: "unknown", message: "no such file" } }),
    ]),
    assistantMessage("msg_unfinished", [runningToolPart("call_3")]),
  ]);
  await native.importSession("ses_other", [
    assistantMessage("msg_other", [toolPart("call_4", "y".repeat(5_000))]),
  ]);
});

afterAll(() => native?.remove());

const command = (...args: string[]) =>
  runCli([...args, "--server", native.daemon.url], native.daemon.environment);

async function printed(...args: string[]): Promise<string> {
  const result = await command(...args);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  // Nothing that was stored may reach the terminal as a command, whoever reads the output.
  expect(result.stdout.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  return result.stdout;
}

describe("sessions", () => {
  it("are listed for people", async () => {
    expect(await printed("sessions")).toMatch(
      new RegExp(`${SESSION} +idle +.*B +${native.directory} +${SESSION}`),
    );
  });

  it("are listed for scripts, with what is stored of each", async () => {
    const { sessions } = publishedDocument("sessions", await printed("sessions", "--json"));
    expect(sessions.map(({ sessionID }) => sessionID).sort()).toEqual(["ses_other", SESSION]);
    expect(sessions.find(({ sessionID }) => sessionID === SESSION)).toMatchObject({
      title: SESSION,
      directory: native.directory,
      activity: "idle",
      messages: 3,
      storedBytes: expect.any(Number),
    });
  });
});

describe("the parts of a session", () => {
  it("are listed for people, with what stands against pruning them", async () => {
    const text = await printed("parts", SESSION);
    expect(text).toMatch(new RegExp(`${MESSAGE} +1 +reasoning `));
    expect(text).toMatch(new RegExp(`${MESSAGE} +2 +read +completed .*/project/hay\\.ts`));
    expect(text).toMatch(new RegExp(`${MESSAGE} +3 +read +error`));
    expect(text).toMatch(/msg_unfinished +0 +read +tool not settled/);
    expect(text).toContain("4 technical parts in 2 messages");
  });

  it("are listed for scripts", async () => {
    const parts = publishedDocument("parts", await printed("parts", SESSION, "--json"));
    expect(parts.technical).toMatchObject({ messages: 2, parts: 4 });
    const [first, second] = parts.messages;
    expect(first).toMatchObject({ messageID: MESSAGE, kept: { parts: 1 } });
    expect(first?.parts.map(({ index, type, tool, status }) => [index, type, tool, status])).toEqual([
      [1, "reasoning", undefined, undefined],
      [2, "tool", "read", "completed"],
      [3, "tool", "read", "error"],
    ]);
    expect(second).toMatchObject({ messageID: "msg_unfinished", unprunable: "unsettled_tool" });
  });
});

describe("a message", () => {
  it("is shown without the session being named, part by part", async () => {
    const text = await printed("show", MESSAGE);
    expect(text).toMatch(new RegExp(`^assistant message ${MESSAGE} of ${SESSION}`));
    expect(text).toMatch(
      /part 0: text, .*\nIt is in the hay.*\n\n── part 1: reasoning, .*\nbecause.* of this/,
    );
    expect(text).toMatch(
      /part 2: tool, read, completed.*\ninput:\n(.*\n)* {2}.*hay\.ts(.*\n)+output:\n {2}a needle/,
    );
    expect(text).toMatch(/part 3: tool, read, error(.*\n)+error:\n {2}no such file/);
  });

  it("is shown as it is stored, one part of it where one is asked for", async () => {
    const message = publishedDocument("message", await printed("show", MESSAGE, "--part", "2", "--json"));
    const stored = await native.message(SESSION, MESSAGE);
    expect(message).toMatchObject({ sessionID: SESSION, type: "assistant" });
    expect(message.parts).toEqual([
      { index: 2, type: "tool", bytes: expect.any(Number), content: stored.content[2] },
    ]);
  });

  it("of the user is shown as its text", async () => {
    expect(await printed("show", "msg_asked", "--session", SESSION)).toContain("Where is the Needle?");
  });

  it("or a part that is not there is named", async () => {
    for (const [args, sentence] of [
      [["show", "msg_none"], "There is no message msg_none in any session; list"],
      [
        ["show", "msg_other", "--session", SESSION],
        `There is no message msg_other in session ${SESSION}; list`,
      ],
      [["show", MESSAGE, "--part", "4"], `Message ${MESSAGE} has no part 4; it has 4 parts, 0 to 3.`],
    ] as const) {
      const result = await command(...args);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toContain(sentence);
    }
  });
});

describe("a search", () => {
  it("finds a text in any case, where it is, and says how far it looked", async () => {
    const text = await printed("search", "NEEDLE");
    expect(text).toContain(`${SESSION} msg_asked user\n    Where is the Needle?`);
    expect(text).toMatch(new RegExp(`${SESSION} ${MESSAGE} part 2, tool\n .*a needle`));
    expect(text).toMatch(/2 found in \d+ messages\.\n$/);
  });

  it("gives hits to scripts, and leaves technical parts out when it is told so", async () => {
    const all = publishedDocument("search", await printed("search", "needle", "--json"));
    expect(all).toMatchObject({ query: "needle", complete: true, skipped: 0 });
    expect(all.hits.map(({ messageID, part }) => [messageID, part]).sort()).toEqual([
      ["msg_asked", "text"],
      [MESSAGE, "tool"],
    ]);
    const texts = publishedDocument("search", await printed("search", "needle", "--text-only", "--json"));
    expect(texts.hits.map(({ messageID }) => messageID)).toEqual(["msg_asked"]);
    const one = publishedDocument(
      "search",
      await printed("search", "needle", "--session", "ses_other", "--json"),
    );
    expect(one.hits).toEqual([]);
  });

  it("says that it ended at the limit", async () => {
    const result = await command("search", "needle", "--limit", "1", "--json");
    expect(result).toMatchObject({ code: 3, stderr: "" });
    const found = publishedDocument("search", result.stdout);
    expect(found).toMatchObject({ complete: false });
    expect(found.hits).toHaveLength(1);
  });

  it("refuses nothing and too much to look for", async () => {
    for (const text of ["", "x".repeat(201)]) {
      expect(await command("search", text)).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

describe("statistics", () => {
  it("tell what is technical by project, tool and month, and what a prune would free", async () => {
    const stats = publishedDocument("stats", await printed("stats", "--json"));
    expect(stats).toMatchObject({
      sessions: 2,
      messages: 3,
      technical: { parts: 5 },
      byProject: [{ directory: native.directory, sessions: 2, parts: 5 }],
      byTool: [
        { type: "tool", tool: "read", parts: 4 },
        { type: "reasoning", parts: 1 },
      ],
      byMonth: [{ month: "2023-11", parts: 5 }],
      prunable: { sessions: 2, messages: 2, parts: 4 },
      busy: { parts: 0 },
    });
    const large = publishedDocument("stats", await printed("stats", "--min-size", "5k", "--json"));
    expect(large.prunable).toMatchObject({ sessions: 1, messages: 1, parts: 1 });
    expect(await printed("stats")).toMatch(
      /SIZE +PARTS +TOOL(.*\n)+.* 4 +read\n(.*\n)+A prune .* frees .* 4 parts/,
    );
  });
});
