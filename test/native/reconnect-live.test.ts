import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, passwordHeaders } from "#opencode/client";
import { MessageCache } from "../../src/cache/index.ts";
import { createGate } from "../../src/demo/index.ts";
import { createEventSource, createHistory, createNativeSource, type History } from "../../src/sync/index.ts";
import { type Native, startNative } from "./support/index.ts";
import { until } from "./support/until.ts";

const SECRETS = [
  "ponder-the-secret",
  "output-of-the-lookup",
  "an-answer-in-words",
  "a-prompt-in-words",
  "/a/secret/path",
];

let native: Native;
let history: History;
let cache: MessageCache;
let folder: string;
let sessionID: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "opencode-prune-live-"));
  native = await startNative({ plugins: [], tools: [{ name: "lookup", output: "output-of-the-lookup" }] });
  const { url, password } = native.daemon;
  const client = OpenCode.make({ baseUrl: url, headers: passwordHeaders(password) });
  cache = new MessageCache({ folder, server: url });
  history = createHistory({ source: createNativeSource(client), events: createEventSource(client), cache });
  history.start();
  const created = await native.call("POST", "/api/session", { location: { directory: native.directory } });
  sessionID = created.data.id;
  history.show([sessionID]);
  history.follow(sessionID);
  await until(history, ({ connection, sessions }) => connection.phase === "live" && sessions.has(sessionID));
});
afterAll(async () => {
  history?.stop();
  cache?.close();
  await native?.close();
  rmSync(folder, { recursive: true, force: true });
});

function activity() {
  return history.snapshot().sessions.get(sessionID)?.activity;
}

describe("native changes are shown as they happen", () => {
  it("a generation: running, its message incomplete, then idle, its message complete", async () => {
    const gate = createGate();
    native.provider.queue([
      [
        { reasoning: "ponder-the-secret" },
        { tool: { name: "lookup", input: { filePath: "/a/secret/path" } } },
      ],
      [{ reasoning: "ponder-the-secret" }, { hold: gate }, { text: "an-answer-in-words" }],
    ]);
    await native.call("POST", `/api/session/${sessionID}/prompt`, { text: "a-prompt-in-words" });
    const during = await until(history, ({ sessions, outlines }) => {
      const messages = outlines.get(sessionID)?.messages ?? [];
      return sessions.get(sessionID)?.activity === "running" && messages.length === 2;
    });
    expect(during.outlines.get(sessionID)?.messages.map((message) => message.unprunable)).toEqual([
      undefined,
      "incomplete",
    ]);
    gate.open();
    await until(history, ({ sessions, outlines }) => {
      const summary = sessions.get(sessionID);
      const [, last] = outlines.get(sessionID)?.messages ?? [];
      return summary?.activity === "idle" && summary.confirmed && last !== undefined && !last.unprunable;
    });
    expect(history.snapshot().sessions.get(sessionID)?.technical?.parts).toBe(3);
    expect(history.snapshot().sessions.get(sessionID)?.messages).toBe(
      (await native.messages(sessionID)).length,
    );
  });

  it("a new title", async () => {
    await native.call("PATCH", `/api/session/${sessionID}`, { title: "Another title" });
    await until(history, ({ sessions }) => sessions.get(sessionID)?.title === "Another title");
  });

  it("a compaction while it runs", async () => {
    const gate = createGate();
    native.provider.queue([[{ hold: gate }, { text: "a summary" }]], "compaction");
    await native.call("POST", `/api/session/${sessionID}/compact`, {});
    await until(history, () => activity() === "compacting");
    gate.open();
    await until(history, () => activity() === "idle");
  });

  it("a staged revert, and its end", async () => {
    const messages = await native.messages(sessionID);
    const messageID = messages.find((message) => message.type === "user").id;
    await native.call("POST", `/api/session/${sessionID}/revert/stage`, { messageID });
    await until(history, () => activity() === "reverted");
    await native.call("DELETE", `/api/session/${sessionID}/revert`);
    await until(history, () => activity() === "idle");
  });

  it("a fork, and a deletion", async () => {
    const fork = await native.call("POST", `/api/session/${sessionID}/fork`, {});
    await until(history, ({ sessions }) => sessions.get(fork.data.id)?.technical?.parts === 3);
    await native.call("DELETE", `/api/session/${fork.data.id}`);
    await until(history, ({ sessions }) => !sessions.has(fork.data.id));
  });
});

describe("the cache's files", () => {
  it("hold nothing of the messages that were browsed", async () => {
    const [message] = history.snapshot().outlines.get(sessionID)?.messages ?? [];
    const content = await history.message({ sessionID, messageID: message?.messageID ?? "" });
    expect(JSON.stringify(content)).toContain("output-of-the-lookup");
    history.stop();
    expect(cache.outline(sessionID)?.messages).toHaveLength(2);
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      expect(SECRETS.filter((secret) => bytes.includes(secret))).toEqual([]);
    }
  });
});
