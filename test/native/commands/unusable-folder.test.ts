import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import { createCleanup, createPruning, JobStore } from "../../../src/pruning/index.ts";
import { sampleMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli } from "../support/run-cli.ts";

let native: PruningDaemon;
let client: OpenCodeClient;
/** A folder with a blank, which is deleted. */
let gone: string;

beforeAll(async () => {
  native = await startPruningDaemon();
  client = OpenCode.make({ baseUrl: native.daemon.url, headers: passwordHeaders(native.daemon.password) });
  gone = join(native.daemon.user, "an old project");
});

afterAll(() => native?.remove());

const command = (...args: string[]) =>
  runCli([...args, "--server", native.daemon.url], native.daemon.environment);

const typesOf = async (sessionID: string) =>
  (await native.message(sessionID, `msg_${sessionID}`)).content.map((part) => part.type);

/** A session whose folder was there when it was made, is deleted, and is forgotten by the daemon. */
async function importGone(sessionID: string): Promise<void> {
  await mkdir(gone, { recursive: true });
  await native.importSession(sessionID, [sampleMessage(`msg_${sessionID}`)], gone);
  await rm(gone, { recursive: true });
  await native.daemon.stop();
  await native.daemon.start();
}

describe("a session whose folder is gone", () => {
  it("is refused with the folder and what to do, and no word of installing the plugin", async () => {
    await importGone("ses_gone");
    const told = await command("prune", "ses_gone", "--yes");
    expect(told).toMatchObject({ code: 3, stderr: "" });
    expect(told.stdout).toContain("Not pruned: 2 parts. OpenCode cannot work in the session's folder");
    expect(told.stdout).toContain(`(mkdir -p '${gone}'), then ask again.`);
    expect(told.stdout).not.toMatch(/install/i);

    const { code, stdout } = await command("prune", "ses_gone", "--yes", "--json");
    expect(code).toBe(3);
    expect(publishedDocument("prune", stdout)).toMatchObject({
      complete: false,
      stopped: false,
      planned: { sessions: 0 },
      refused: [{ sessionID: "ses_gone", parts: 2, reason: "folder_unusable", directory: gone }],
      problems: [],
    });
    expect(await typesOf("ses_gone")).toEqual(["text", "reasoning", "tool"]);
  });

  it("is explained by the doctor, who does not name the folder", async () => {
    await importGone("ses_ill");
    const { stdout } = await command("doctor", "--session", "ses_ill", "--json");
    const { checks } = publishedDocument("doctor", stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: "plugin",
        status: "fail",
        detail: expect.stringContaining("OpenCode cannot work in the session's folder"),
        todo: expect.stringContaining("create it again"),
      }),
    );
    expect(stdout).not.toContain("an old project");
  });

  it("is told of by a dry run, too", async () => {
    await importGone("ses_dry");
    const { code, stdout } = await command("prune", "ses_dry", "--dry-run", "--json");
    expect(code).toBe(0);
    expect(publishedDocument("prune", stdout)).toMatchObject({
      complete: false,
      planned: { parts: 0 },
      refused: [{ sessionID: "ses_dry", parts: 2, reason: "folder_unusable", directory: gone }],
    });
  });

  it("does not keep other sessions from being pruned", async () => {
    await importGone("ses_beside");
    await native.importSession("ses_here", [sampleMessage("msg_ses_here")]);
    const { code, stdout } = await command("prune", "--all-sessions", "--yes", "--json");
    expect(code).toBe(3);
    const { pruned, refused, stopped } = publishedDocument("prune", stdout);
    expect(stopped).toBe(false);
    expect(pruned).toMatchObject({ sessions: 1, parts: 2 });
    expect(refused).toContainEqual({
      ...{ sessionID: "ses_beside", parts: 2 },
      ...{ reason: "folder_unusable", directory: gone },
    });
    expect(await typesOf("ses_here")).toEqual(["text"]);
    expect(await typesOf("ses_beside")).toEqual(["text", "reasoning", "tool"]);
  });

  it("is pruned once the folder is there again", async () => {
    await importGone("ses_again");
    expect(await command("prune", "ses_again", "--yes")).toMatchObject({ code: 3 });
    await mkdir(gone);
    expect(await command("prune", "ses_again", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(await typesOf("ses_again")).toEqual(["text"]);
  });

  it("is pruned as long as the daemon still works there", async () => {
    await mkdir(gone, { recursive: true });
    await native.importSession("ses_loaded", [sampleMessage("msg_ses_loaded")], gone);
    await native.rpc(
      "preview",
      { sessionID: "ses_loaded", messageID: "msg_ses_loaded" },
      { directory: gone },
    );
    await rm(gone, { recursive: true });
    expect(await command("prune", "ses_loaded", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(await typesOf("ses_loaded")).toEqual(["text"]);
  });

  it("is refused by the preview of a selection, and by a cleanup of the whole session", async () => {
    await importGone("ses_selected");
    const reference = { sessionID: "ses_selected", messageID: "msg_ses_selected", bytes: 1 };
    const tool = { ...reference, index: 2, type: "tool", toolID: "call_msg_ses_selected" } as const;
    const plan = await createPruning({ client }).plan([tool]);
    expect(plan).toEqual({
      messages: [],
      refused: [
        { sessionID: "ses_selected", messageID: "msg_ses_selected", parts: 1, reason: "folder_unusable" },
      ],
      parts: 0,
      bytes: 0,
    });
    const jobs = new JobStore({ folder: join(native.daemon.user, "jobs") });
    const { sessions } = await createCleanup({ client, jobs }).plan(["ses_selected"]);
    jobs.close();
    expect(sessions).toMatchObject([{ sessionID: "ses_selected", refused: "folder_unusable" }]);
  });

  it("is refused when the folder goes between the preview and the prune", async () => {
    await mkdir(gone, { recursive: true });
    await native.importSession("ses_late", [sampleMessage("msg_ses_late")], gone);
    const reference = { sessionID: "ses_late", messageID: "msg_ses_late", bytes: 1 };
    const pruning = createPruning({ client });
    const plan = await pruning.plan([{ ...reference, index: 2, type: "tool", toolID: "call_msg_ses_late" }]);
    expect(plan).toMatchObject({ parts: 1, refused: [] });
    await rm(gone, { recursive: true });
    await native.daemon.stop();
    await native.daemon.start();
    expect(await pruning.prune(plan, {})).toMatchObject({
      prunedParts: 0,
      skippedMessages: 0,
      refused: [{ sessionID: "ses_late", messageID: "msg_ses_late", parts: 1, reason: "folder_unusable" }],
    });
  });
});
