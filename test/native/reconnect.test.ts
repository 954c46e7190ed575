import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, passwordHeaders } from "#opencode/client";
import { revisionOf } from "../../src/contract/index.ts";
import type { Notice } from "../../src/state/ports.ts";
import { createEventSource, createHistory, createNativeSource, type History } from "../../src/sync/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "./support/pruning-daemon.ts";
import { until } from "./support/until.ts";

let pruning: PruningDaemon;
let history: History;
const notices: Notice[] = [];

beforeAll(async () => {
  pruning = await startPruningDaemon();
  const content = [reasoningPart("thought"), toolPart("call_1", "x".repeat(2_000)), textPart("answer")];
  await pruning.importSession("ses_one", [userMessage("msg_0", "hi"), assistantMessage("msg_1", content)]);
  await pruning.importSession("ses_two", [assistantMessage("msg_2", [toolPart("call_2", "short")])]);
  const { url, password } = pruning.daemon;
  const client = OpenCode.make({ baseUrl: url, headers: passwordHeaders(password) });
  history = createHistory({ source: createNativeSource(client), events: createEventSource(client) });
  history.onNotice((notice) => notices.push(notice));
  history.start();
});
afterAll(async () => {
  history?.stop();
  await pruning?.remove();
});

describe("a history beside a real daemon", () => {
  it("becomes live, with the technical bytes of every session", async () => {
    await until(
      history,
      ({ connection, sessions }) =>
        connection.phase === "live" && [...sessions.values()].every((one) => one.technical !== undefined),
    );
    const { sessions, listed } = history.snapshot();
    expect(listed).toBe(true);
    expect([...sessions.keys()].sort()).toEqual(["ses_one", "ses_two"]);
    expect(sessions.get("ses_one")).toMatchObject({
      messages: 2,
      technical: { parts: 2 },
      confirmed: true,
      refreshing: false,
    });
  });

  it("shows what somebody else prunes, without being asked", async () => {
    const unfollow = history.follow("ses_one");
    const before = await until(history, ({ outlines }) => outlines.get("ses_one")?.confirmed === true);
    const message = await pruning.message("ses_one", "msg_1");
    await pruning.rpc("prune", {
      sessionID: "ses_one",
      messageID: "msg_1",
      revision: revisionOf(message.content),
      indexes: [1],
    });
    const after = await until(history, ({ outlines }) => {
      const outline = outlines.get("ses_one");
      return outline?.confirmed === true && outline.messages[0]?.parts.length === 1;
    });
    unfollow();
    expect(after.sessions.get("ses_one")?.technical?.parts).toBe(1);
    expect(after.sessions.get("ses_two")).toBe(before.sessions.get("ses_two"));
  });

  it("shows a session that somebody creates, and forgets one that somebody deletes", async () => {
    await pruning.importSession("ses_three", [assistantMessage("msg_3", [reasoningPart("deep")])]);
    await until(history, ({ sessions }) => sessions.get("ses_three")?.technical?.parts === 1);
    await pruning.request("DELETE", "/api/session/ses_three");
    await until(history, ({ sessions }) => !sessions.has("ses_three"));
  });

  it("survives a daemon that is killed and started again on the same port", async () => {
    await pruning.daemon.stop("SIGKILL");
    const lost = await until(history, ({ connection }) => connection.phase !== "live");
    expect(lost.sessions.get("ses_one")?.confirmed).toBe(false);
    await pruning.daemon.start();
    await until(
      history,
      ({ connection, sessions }) =>
        connection.phase === "live" && [...sessions.values()].every((one) => one.confirmed),
    );
    const told = notices.map((notice) => notice.kind).filter((kind) => kind !== "pruned");
    expect(told).toEqual(["connected", "lost", "reconciled"]);
  });
});
