import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revisionOf } from "../../src/contract/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";

let pruning: PruningDaemon;

beforeAll(async () => {
  pruning = await startPruningDaemon();
});
afterAll(() => pruning?.remove());

describe("pruning through the real daemon", () => {
  it("previews and prunes a tool part and a reasoning part, and keeps everything else", async () => {
    const content = [
      textPart("before"),
      reasoningPart("thought"),
      toolPart("call_1", "output"),
      textPart("after"),
    ];
    await pruning.importSession("ses_prune_first", [
      userMessage("msg_prune_user", "hello"),
      assistantMessage("msg_prune_first", content),
    ]);
    const before = await pruning.message("ses_prune_first", "msg_prune_first");

    const preview = await pruning.rpc("preview", {
      sessionID: "ses_prune_first",
      messageID: "msg_prune_first",
    });
    expect(preview.body.output).toMatchObject({
      status: "preview",
      liveMutation: false,
      revision: revisionOf(before.content),
      parts: [
        { index: 1, type: "reasoning", bytes: Buffer.byteLength(JSON.stringify(before.content[1])) },
        { index: 2, type: "tool", bytes: Buffer.byteLength(JSON.stringify(before.content[2])) },
      ],
    });

    const pruned = await pruning.rpc("prune", {
      sessionID: "ses_prune_first",
      messageID: "msg_prune_first",
      revision: preview.body.output.revision,
      indexes: [2, 1],
    });
    const after = await pruning.message("ses_prune_first", "msg_prune_first");
    expect(pruned.body.output).toEqual({
      status: "pruned",
      messageID: "msg_prune_first",
      revision: revisionOf(after.content),
      removedCount: 2,
    });
    expect(after).toEqual({ ...before, content: [before.content[0], before.content[3]] });
  });

  it("leaves no identity nonce behind", () => {
    const database = new Database(pruning.daemon.database, { readonly: true });
    const left = database.prepare("SELECT key FROM kv WHERE key LIKE 'plugin:%identity/%'").all();
    database.close();
    expect(left).toEqual([]);
  });
});
