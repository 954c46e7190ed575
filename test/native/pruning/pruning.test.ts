import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import { outlineMessage } from "../../../src/contract/index.ts";
import { isAssistant } from "../../../src/opencode/index.ts";
import { createPruning, referenceTo } from "../../../src/pruning/index.ts";
import type { MessageReference, PartReference, PlanProgress, PruningPort } from "../../../src/state/ports.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";

let native: PruningDaemon;
let client: OpenCodeClient;
let pruning: PruningPort;
const reread: MessageReference[] = [];

beforeAll(async () => {
  native = await startPruningDaemon();
  client = OpenCode.make({ baseUrl: native.daemon.url, headers: passwordHeaders(native.daemon.password) });
  pruning = createPruning({ client, onPruned: (message) => reread.push(message) });
});

afterAll(() => native?.remove());

/** References to the technical parts of a message, as a screen has them from an outline. */
async function select(sessionID: string, messageID: string): Promise<readonly PartReference[]> {
  const message = await client.session.message({ sessionID, messageID });
  if (!isAssistant(message)) throw new Error(`${messageID} is not an assistant message`);
  return outlineMessage(message).parts.map((part) => referenceTo({ sessionID, messageID }, part));
}

const content = async (sessionID: string, messageID: string) =>
  (await native.message(sessionID, messageID)).content;

/** An import leaves unfinished messages out, so it is done to the stored row. */
function unfinish(messageID: string): void {
  const database = new Database(native.daemon.database);
  const removed = database
    .prepare("UPDATE session_message SET data = json_remove(data, '$.time.completed') WHERE id = ?")
    .run(messageID);
  database.close();
  expect(removed.changes).toBe(1);
}

describe("pruning a selection on the real daemon", () => {
  it("prunes exactly the selection and says what it did", async () => {
    const sessionID = "ses_selection";
    await native.importSession(sessionID, [
      userMessage("msg_sel_user", "do it"),
      assistantMessage("msg_sel_1", [
        textPart("first"),
        reasoningPart("because"),
        toolPart("call_a", "long output"),
        toolPart("call_b", "other output"),
      ]),
      assistantMessage("msg_sel_2", [toolPart("call_c", "third"), textPart("last")]),
    ]);
    const before = await content(sessionID, "msg_sel_1");
    const all = await select(sessionID, "msg_sel_1");
    const [thought, toolA] = all;
    const [toolC] = await select(sessionID, "msg_sel_2");
    if (!thought || !toolA || !toolC) throw new Error("the imported parts are missing");

    const progress: PlanProgress[] = [];
    const plan = await pruning.plan([thought, toolA, toolC], undefined, (step) => progress.push(step));
    expect(progress).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })));
    expect(plan).toMatchObject({ parts: 3, refused: [] });
    expect(plan.bytes).toBe(thought.bytes + toolA.bytes + toolC.bytes);
    expect(plan.messages).toMatchObject([
      {
        messageID: "msg_sel_1",
        directory: native.directory,
        goes: [{ index: 1 }, { index: 2, toolName: "read" }],
        stays: { parts: 2 },
      },
      { messageID: "msg_sel_2", goes: [{ index: 0 }], stays: { parts: 1 } },
    ]);
    expect(await content(sessionID, "msg_sel_1")).toEqual(before);

    const report = await pruning.prune(plan, {});
    expect(report).toEqual({
      prunedParts: 3,
      prunedMessages: 2,
      prunedBytes: plan.bytes,
      skippedMessages: 0,
      refused: [],
      stopped: false,
    });
    expect(await content(sessionID, "msg_sel_1")).toEqual([before[0], before[3]]);
    expect(reread.slice(-2).map(({ messageID }) => messageID)).toEqual(["msg_sel_1", "msg_sel_2"]);

    // The same plan once more deletes nothing: its requests have receipts.
    expect(await pruning.prune(plan, {})).toMatchObject({ prunedMessages: 2, refused: [] });
    expect(await content(sessionID, "msg_sel_1")).toEqual([before[0], before[3]]);
  });

  it("finds the rest of a selection after another client pruned a part before it", async () => {
    const sessionID = "ses_shifted";
    await native.importSession(sessionID, [
      assistantMessage("msg_shift", [toolPart("call_1", "one"), textPart("kept"), toolPart("call_2", "two")]),
    ]);
    const [first, second] = await select(sessionID, "msg_shift");
    if (!first || !second) throw new Error("the imported parts are missing");
    await pruning.prune(await pruning.plan([first]), {});

    const plan = await pruning.plan([first, second]);
    expect(plan.refused).toEqual([{ sessionID, messageID: "msg_shift", parts: 1, reason: "vanished" }]);
    expect(plan.messages).toMatchObject([{ goes: [{ index: 1 }] }]);
    await pruning.prune(plan, {});
    expect(await content(sessionID, "msg_shift")).toMatchObject([{ type: "text", text: "kept" }]);
  });

  it("refuses a session with a staged revert before anybody is asked", async () => {
    const sessionID = "ses_reverted";
    await native.importSession(sessionID, [
      userMessage("msg_revert_user", "do it"),
      assistantMessage("msg_revert", [toolPart("call_r", "output"), textPart("done")]),
    ]);
    const selection = await select(sessionID, "msg_revert");
    expect((await pruning.plan(selection)).refused).toEqual([]);
    await native.request("POST", `/api/session/${sessionID}/revert/stage`, {
      messageID: "msg_revert_user",
    });

    const plan = await pruning.plan(selection);
    expect(plan).toMatchObject({ messages: [], parts: 0, bytes: 0 });
    expect(plan.refused).toEqual([
      { sessionID, messageID: "msg_revert", parts: 1, reason: "maintenance_required" },
    ]);
  });

  it("is told of a conflict when the message changed after the plan", async () => {
    const sessionID = "ses_conflict";
    await native.importSession(sessionID, [
      assistantMessage("msg_conflict", [toolPart("call_1", "one"), toolPart("call_2", "two")]),
    ]);
    const [first, second] = await select(sessionID, "msg_conflict");
    if (!first || !second) throw new Error("the imported parts are missing");
    const [early, late] = [await pruning.plan([first]), await pruning.plan([second])];
    await pruning.prune(early, {});
    expect(await pruning.prune(late, {})).toMatchObject({
      prunedParts: 0,
      refused: [{ messageID: "msg_conflict", parts: 1, reason: "conflict" }],
    });
    expect(await content(sessionID, "msg_conflict")).toMatchObject([{ id: "call_2" }]);
  });

  it("refuses twins, the missing, the unfinished and what is no assistant message", async () => {
    const sessionID = "ses_refused";
    await native.importSession(sessionID, [
      userMessage("msg_ref_user", "hello"),
      assistantMessage("msg_ref_twins", [reasoningPart("same"), reasoningPart("same"), textPart("t")]),
      assistantMessage("msg_ref_open", [toolPart("call_1", "one")]),
    ]);
    unfinish("msg_ref_open");
    const twins = await select(sessionID, "msg_ref_twins");
    const open = await select(sessionID, "msg_ref_open");
    const [twin] = twins;
    if (!twin) throw new Error("the imported parts are missing");
    const plan = await pruning.plan([
      ...twins,
      ...open,
      { ...twin, messageID: "msg_ref_user" },
      { ...twin, messageID: "msg_ref_nowhere" },
      { ...twin, sessionID: "ses_nowhere" },
    ]);
    expect(plan.messages).toEqual([]);
    expect(plan.refused.map(({ messageID, parts, reason }) => [messageID, parts, reason])).toEqual([
      ["msg_ref_twins", 2, "ambiguous"],
      ["msg_ref_open", 1, "incomplete"],
      ["msg_ref_user", 1, "not_deletable"],
      ["msg_ref_nowhere", 1, "vanished"],
      ["msg_ref_twins", 1, "vanished"],
    ]);
  });

  it("does not plan against a server that is not there", async () => {
    const nobody = createPruning({ client: OpenCode.make({ baseUrl: native.daemon.url }) });
    const reference = { sessionID: "ses_1", messageID: "msg_1", index: 0, type: "tool", bytes: 1 } as const;
    await expect(nobody.plan([reference])).rejects.toMatchObject({ name: "UnauthorisedError" });
  });
});
