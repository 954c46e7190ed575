import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, runningToolPart, sampleMessage, userMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli, startCli } from "../support/run-cli.ts";

let native: PruningDaemon;

beforeAll(async () => {
  native = await startPruningDaemon();
});

afterAll(() => native?.remove());

const command = (...args: string[]) =>
  runCli([...args, "--server", native.daemon.url], native.daemon.environment);

async function importSample(sessionID: string): Promise<string> {
  const messageID = `msg_${sessionID}`;
  await native.importSession(sessionID, [
    userMessage(`${messageID}_user`, "hello"),
    sampleMessage(messageID),
  ]);
  return messageID;
}

const typesOf = async (sessionID: string, messageID: string) =>
  (await native.message(sessionID, messageID)).content.map((part) => part.type);

describe("a prune by a script", () => {
  it("deletes nothing without --yes", async () => {
    const messageID = await importSample("ses_unsure");
    const result = await command("prune", "ses_unsure");
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("say --yes") });
    expect(result.stdout).toMatch(/Would prune 2 parts .*This cannot be undone/s);
    const told = await command("prune", "ses_unsure", "--json");
    expect(told.code).toBe(2);
    expect(publishedDocument("prune", told.stdout)).toMatchObject({ dryRun: true, planned: { parts: 2 } });
    expect(await typesOf("ses_unsure", messageID)).toEqual(["text", "reasoning", "tool"]);
  });

  it("that is dry says what would go, in the same shape, and is no failure", async () => {
    const messageID = await importSample("ses_dry");
    const result = await command("prune", "ses_dry", "--tools", "--dry-run", "--json");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(publishedDocument("prune", result.stdout)).toMatchObject({
      dryRun: true,
      planned: { sessions: 1, messages: 1, parts: 1 },
      pruned: { sessions: 0, messages: 0, parts: 0, bytes: 0 },
      refused: [],
    });
    expect(await typesOf("ses_dry", messageID)).toEqual(["text", "reasoning", "tool"]);
  });

  it.each([
    [["--tools"], ["text", "reasoning"]],
    [["--reasoning"], ["text", "tool"]],
    [
      ["--tool", "read"],
      ["text", "reasoning"],
    ],
    [["--tool", "bash", "read", "--reasoning"], ["text"]],
    [[], ["text"]],
  ])("deletes what it is told to: %j", async (flags, left) => {
    const sessionID = `ses_told${flags.join("").replaceAll("--", "_")}`;
    const messageID = await importSample(sessionID);
    const result = await command("prune", sessionID, "--yes", ...flags);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^Pruned \d parts? /);
    expect(await typesOf(sessionID, messageID)).toEqual(left);
    const again = await command("prune", sessionID, "--yes", ...flags);
    expect(again).toMatchObject({ code: 0, stdout: "Nothing to prune.\n" });
  });

  it.each([
    ["--tool", "bash"],
    ["--min-size", "1MB"],
    ["--older-than", "99999d"],
    ["--keep-last", "1"],
  ])("deletes nothing that its filter leaves out: %s %s", async (...flags) => {
    const sessionID = `ses_left_${flags[0]?.slice(2)}`;
    const messageID = await importSample(sessionID);
    const result = await command("prune", sessionID, "--yes", ...flags);
    expect(result).toMatchObject({ code: 0, stdout: "Nothing to prune.\n", stderr: "" });
    expect(await typesOf(sessionID, messageID)).toEqual(["text", "reasoning", "tool"]);
  });

  it("takes named messages alone, and nothing at all where one is not there", async () => {
    await native.importSession("ses_named", [sampleMessage("msg_named_1"), sampleMessage("msg_named_2")]);
    const wrong = await command("prune", "ses_named", "--yes", "--message", "msg_named_1", "msg_none");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("There is no message msg_none in session ses_named; list");
    expect(await typesOf("ses_named", "msg_named_1")).toHaveLength(3);
    expect(await command("prune", "ses_named", "--yes", "--message", "msg_named_1")).toMatchObject({
      code: 0,
    });
    expect(await typesOf("ses_named", "msg_named_1")).toEqual(["text"]);
    expect(await typesOf("ses_named", "msg_named_2")).toHaveLength(3);
  });

  it("reports a named message that cannot be pruned, and only counts it where it was swept over", async () => {
    await native.importSession("ses_open", [assistantMessage("msg_open", [runningToolPart("call_open")])]);
    const swept = await command("prune", "ses_open", "--yes", "--json");
    expect(swept.code).toBe(0);
    expect(publishedDocument("prune", swept.stdout)).toMatchObject({
      complete: true,
      leftAlone: [{ reason: "unsettled_tool", messages: 1, parts: 1 }],
    });
    const named = await command("prune", "ses_open", "--yes", "--message", "msg_open", "--json");
    expect(named.code).toBe(3);
    expect(publishedDocument("prune", named.stdout)).toMatchObject({
      complete: false,
      refused: [{ sessionID: "ses_open", messageID: "msg_open", parts: 1, reason: "incomplete" }],
    });
  });

  it("tells what was refused from what was done", async () => {
    const messageID = await importSample("ses_reverted");
    await native.request("POST", "/api/session/ses_reverted/revert/stage", {
      messageID: `${messageID}_user`,
    });
    const result = await command("prune", "ses_reverted", "--yes");
    expect(result).toMatchObject({ code: 3, stderr: "" });
    expect(result.stdout).toContain(
      "Not pruned: 2 parts. The session is running, compacting or has a staged revert",
    );
    expect(await typesOf("ses_reverted", messageID)).toHaveLength(3);
  });

  it("stops after the call under way when it is interrupted, and reports", async () => {
    const messages = Array.from({ length: 1_000 }, (_, position) =>
      sampleMessage(`msg_long_${1_000 + position}`),
    );
    await native.importSession("ses_long", messages);
    const args = ["prune", "ses_long", "--yes", "--json", "--server", native.daemon.url];
    const running = startCli(args, native.daemon.environment);
    const isUnderWay = async () => (await typesOf("ses_long", "msg_long_1000")).length === 1;
    while (!(await isUnderWay())) await new Promise((resolve) => setTimeout(resolve, 5));
    running.child.kill("SIGINT");
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 3, stderr: "" });
    const { pruned, skippedMessages, stopped, planned } = publishedDocument("prune", ended.stdout);
    expect(stopped).toBe(true);
    expect(planned.messages).toBe(1_000);
    expect(pruned.messages + skippedMessages).toBe(1_000);
    expect(skippedMessages).toBeGreaterThan(0);
    // The count is what the history says.
    const left = await command("parts", "ses_long", "--json");
    expect(publishedDocument("parts", left.stdout).technical.messages).toBe(skippedMessages);
  });
});

describe("a server that dies while everything is pruned", () => {
  it("is told with what was done until then, and the next run does the rest", async () => {
    const ids = ["ses_die_1", "ses_die_2"];
    const count = 500;
    for (const id of ids) {
      const messages = Array.from({ length: count }, (_, at) => sampleMessage(`msg_${id}_${1_000 + at}`));
      await native.importSession(id, messages);
    }
    const args = ["prune", "--all-sessions", "--reasoning", "--yes", "--json", "--server", native.daemon.url];
    const running = startCli(args, native.daemon.environment);
    // Neither the first call of the session nor the last.
    const middle = () => typesOf("ses_die_2", "msg_ses_die_2_1060");
    while ((await middle()).length === 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await native.daemon.stop("SIGKILL");
    const ended = await running.ended;
    await native.daemon.start();
    expect(ended.code).toBe(3);
    const { pruned, planned, refused, skippedMessages, stopped, complete } = publishedDocument(
      "prune",
      ended.stdout,
    );
    expect({ stopped, complete }).toEqual({ stopped: true, complete: false });
    expect(
      refused.every(({ reason }) =>
        ["unknown_outcome", "unavailable", "maintenance_required"].includes(reason),
      ),
    ).toBe(true);
    const unknown = refused.filter(({ messageID }) => messageID !== undefined).length;
    expect(pruned.messages + skippedMessages + unknown).toBe(planned.messages);
    expect(pruned.messages).toBeGreaterThan(0);

    await command("prune", "--all-sessions", "--reasoning", "--yes");
    for (const id of ids) {
      const left = publishedDocument("parts", (await command("parts", id, "--json")).stdout);
      expect(left.messages.flatMap(({ parts }) => parts.map(({ type }) => type))).toEqual(
        Array.from({ length: count }, () => "tool"),
      );
    }
  });
});

describe("watching in a pipe", () => {
  it("prints one document a line, and ends when it is interrupted", async () => {
    const messageID = await importSample("ses_watched");
    const watching = startCli(["watch", "--server", native.daemon.url], native.daemon.environment);
    const shows = async (text: string) => {
      while (!watching.output().includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await shows('"connected"');
    await command("prune", "ses_watched", "--yes");
    await shows(messageID);
    await native.daemon.stop();
    await shows('"lost"');
    await native.daemon.start();
    await shows('"reconciled"');
    watching.child.kill("SIGINT");
    const ended = await watching.ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const events = ended.stdout
      .trimEnd()
      .split("\n")
      .map((line) => publishedDocument("event", line));
    expect(events.map(({ event }) => event)).toEqual(["connected", "pruned", "lost", "reconciled"]);
    expect(events[1]).toMatchObject({ sessionID: "ses_watched", messageID, title: "ses_watched" });
    expect(events[3]).toMatchObject({ deleted: [], exact: true });
  });
});
