import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
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
    assistantMessage(messageID, [
      textPart("kept"),
      reasoningPart("because\u001b[31m of this"),
      toolPart(`call_${sessionID}`, "output"),
    ]),
  ]);
  return messageID;
}

const typesOf = async (sessionID: string, messageID: string) =>
  (await native.message(sessionID, messageID)).content.map((part) => part.type);

describe("the commands for scripts", () => {
  it("list sessions and the technical parts of one, with nothing that a terminal would obey", async () => {
    const messageID = await importSample("ses_listed");
    const listed = await command("sessions");
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(listed.stdout).toMatch(new RegExp(`ses_listed +idle +.*${native.directory} +ses_listed`));

    const shown = await command("parts", "ses_listed");
    expect(shown.stdout).toMatch(new RegExp(`${messageID} +1 +reasoning .*because.* of this`));
    expect(shown.stdout).toMatch(
      new RegExp(`${messageID} +2 +read +completed .*/project/call_ses_listed\\.ts`),
    );
    expect(shown.stdout).toContain("2 technical parts in 1 message");
    expect(shown.stdout).not.toContain("\u001b");
  });

  it("prune nothing without --yes", async () => {
    const messageID = await importSample("ses_unsure");
    const result = await command("prune", "ses_unsure");
    expect(result).toMatchObject({ code: 2 });
    expect(result.stdout).toMatch(/Would prune 2 parts .*This cannot be undone/s);
    expect(await typesOf("ses_unsure", messageID)).toEqual(["text", "reasoning", "tool"]);
  });

  it.each([
    ["--tools", ["text", "reasoning"]],
    ["--reasoning", ["text", "tool"]],
    ["", ["text"]],
  ])("prune what they are told to: %j", async (flag, left) => {
    const sessionID = `ses_told${flag.replace("--", "_")}`;
    const messageID = await importSample(sessionID);
    const result = await command("prune", sessionID, "--yes", ...(flag === "" ? [] : [flag]));
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^Pruned \d parts? /);
    expect(await typesOf(sessionID, messageID)).toEqual(left);
    const again = await command("prune", sessionID, "--yes", ...(flag === "" ? [] : [flag]));
    expect(again).toMatchObject({ code: 0, stdout: "Nothing to prune.\n" });
  });

  it("tell a prune in part from a whole one", async () => {
    const messageID = await importSample("ses_reverted");
    await native.request("POST", "/api/session/ses_reverted/revert/stage", {
      messageID: `${messageID}_user`,
    });
    const result = await command("prune", "ses_reverted", "--yes");
    expect(result.code).toBe(3);
    expect(result.stdout).toContain(
      "Not pruned: 2 parts. The session is running, compacting or has a staged revert",
    );
  });

  it("watch prunes by other clients until they are interrupted", async () => {
    const messageID = await importSample("ses_watched");
    const watching = startCli(["watch", "--server", native.daemon.url], native.daemon.environment);
    const shows = async (text: string) => {
      while (!watching.output().includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await shows("connected");
    await command("prune", "ses_watched", "--yes");
    await shows(`pruned ses_watched ${messageID} ses_watched`);
    watching.child.kill("SIGINT");
    expect(await watching.ended).toMatchObject({ code: 0, stderr: "" });
  });
});
