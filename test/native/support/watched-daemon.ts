import { expect } from "vitest";
import { OpenCode, passwordHeaders } from "#opencode/client";
import { revisionOf } from "../../../src/contract/index.ts";
import type { Notice } from "../../../src/state/ports.ts";
import {
  createEventSource,
  createHistory,
  createNativeSource,
  type History,
  type HistoryOptions,
} from "../../../src/sync/index.ts";
import { exactSource } from "./exact-source.ts";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "./messages.ts";
import { type NetworkProxy, startProxy } from "./proxy.ts";
import { type PruningDaemon, type PruningDaemonOptions, startPruningDaemon } from "./pruning-daemon.ts";
import { until } from "./until.ts";

/** A real daemon with sessions in it, and a history that sees it through a proxy only. */
export interface WatchedDaemon {
  readonly pruning: PruningDaemon;
  readonly proxy: NetworkProxy;
  readonly history: History;
  readonly notices: readonly Notice[];
  /** The sessions that were read whole, in order. */
  readonly outlines: string[];
  /** Prunes the technical parts of a message, past the proxy, as another client would. */
  prune(sessionID: string, messageID: string): Promise<void>;
  /** Waits until the history is live and everything in it confirmed, and equal to a fresh full read. */
  settled(): Promise<void>;
  remove(): Promise<void>;
}

export const SESSION_IDS = ["ses_0", "ses_1", "ses_2", "ses_3", "ses_4"] as const;

export async function watchDaemon(
  options: Partial<HistoryOptions> = {},
  daemonOptions: PruningDaemonOptions = {},
): Promise<WatchedDaemon> {
  const pruning = await startPruningDaemon(daemonOptions);
  for (const sessionID of SESSION_IDS) {
    await pruning.importSession(sessionID, [
      userMessage(`${sessionID}_user`.replace("ses", "msg"), "hello"),
      ...[1, 2, 3].map((n) => message(messageIDOf(sessionID, n))),
    ]);
  }
  const { daemon } = pruning;
  const proxy = await startProxy(() => daemon.port);
  const headers = passwordHeaders(daemon.password);
  const client = OpenCode.make({ baseUrl: proxy.url, headers });
  const source = exactSource(createNativeSource(client), daemon.database);
  const history = createHistory({ source, events: createEventSource(client), ...options });
  const notices: Notice[] = [];
  history.onNotice((notice) => notices.push(notice));
  history.start();
  const direct = () => createNativeSource(OpenCode.make({ baseUrl: daemon.url, headers }));
  return {
    pruning,
    proxy,
    history,
    notices,
    outlines: source.outlines,
    prune: async (sessionID, messageID) => {
      const { content } = await pruning.message(sessionID, messageID);
      const indexes = content.flatMap((part, index) => (part.type === "text" ? [] : [index]));
      const answer = await pruning.rpc("prune", {
        sessionID,
        messageID,
        revision: revisionOf(content),
        indexes,
      });
      expect(answer.body.output).toMatchObject({ status: "pruned" });
    },
    settled: async () => {
      await until(
        history,
        ({ connection, sessions }) =>
          connection.phase === "live" &&
          [...sessions.values()].every((one) => one.confirmed && !one.refreshing && one.technical),
      );
      await expectTrue(history, direct());
    },
    remove: async () => {
      history.stop();
      await proxy.close();
      await pruning.remove();
    },
  };
}

export function messageIDOf(sessionID: string, n: number): string {
  return `${sessionID}_${n}`.replace("ses", "msg");
}

export function message(messageID: string, bytes = 2_000) {
  return assistantMessage(messageID, [
    reasoningPart(`thought of ${messageID}`),
    toolPart(`call_${messageID}`, "x".repeat(bytes)),
    textPart(`answer of ${messageID}`),
  ]);
}

/** The snapshot is what a fresh full read past the proxy finds. */
async function expectTrue(history: History, fresh: ReturnType<typeof createNativeSource>): Promise<void> {
  const signal = new AbortController().signal;
  const { sessions, outlines } = history.snapshot();
  const found = new Set<string>();
  for await (const page of fresh.sessions(signal)) {
    for (const listing of page) {
      const { sessionID } = listing;
      found.add(sessionID);
      const outline = await fresh.outline(sessionID, signal);
      const messages = outline?.messages ?? [];
      const parts = messages.flatMap((one) => one.parts);
      expect(sessions.get(sessionID)).toMatchObject({
        ...listing,
        messages: messages.length + (outline?.others.messages ?? 0),
        technical: { parts: parts.length, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) },
      });
      expect(outlines.get(sessionID)?.messages ?? messages).toEqual(messages);
    }
  }
  expect([...sessions.keys()].sort()).toEqual([...found].sort());
}
