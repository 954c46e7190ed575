import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { OpenCode } from "#opencode/client";
import { createPruning } from "../../../src/pruning/index.ts";
import type {
  MessageReference,
  PlannedMessage,
  PruneProgress,
  PruneReport,
} from "../../../src/state/ports.ts";
import { type Received, sendJson, startFakeServer } from "../../opencode/support/fake-server.ts";

/*
 * What a real daemon cannot be made to do: late, cut and malformed answers, and calls that reach a part of what they
 * carry. Everything else is in test/native/pruning.
 */

export type Answer = (response: ServerResponse, request: Call) => void;

/** A call that may delete. */
export interface Call {
  readonly method: string;
  readonly directory: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of every method
  readonly input: any;
}

export const never: Answer = () => {};
export const cut: Answer = (response) => response.destroy();
export const output =
  (value: unknown): Answer =>
  (response) =>
    sendJson(response, { output: value });
export const refused =
  (status: number, body: object): Answer =>
  (response) =>
    sendJson(response, body, status);

const REVISION = "b".repeat(64);
export const blocked = (reason: string) => ({ status: "blocked", reason });
export const pruned = (messageID: string, removedCount = 2) => ({
  status: "pruned",
  messageID,
  revision: REVISION,
  removedCount,
});

/** What `pruneBulk` answers: of each message that it reached, `ok` or the reason of a refusal. */
export function bulk(outcomes: Readonly<Record<string, string>>, left = 0): Answer {
  const results = Object.entries(outcomes).map(([messageID, outcome]) => ({
    messageID,
    result: outcome === "ok" ? pruned(messageID) : blocked(outcome),
  }));
  return output({ results, left });
}

/** Prunes whatever `pruneBulk` is asked for. */
export const bulkAll: Answer = (response, call) => {
  const ids: string[] = call.input.requests.map(({ messageID }: MessageReference) => messageID);
  bulk(Object.fromEntries(ids.map((id) => [id, "ok"])))(response, call);
};

export const planned = (messageID: string, more: Partial<PlannedMessage> = {}): PlannedMessage => ({
  sessionID: "ses_1",
  messageID,
  directory: "/project",
  revision: "a".repeat(64),
  goes: [
    { index: 1, type: "tool", bytes: 10, label: "" },
    { index: 3, type: "reasoning", bytes: 5, label: "" },
  ],
  takesAll: false,
  stays: { parts: 1, bytes: 1 },
  ...more,
});

export const named = (count: number) => Array.from({ length: count }, (_, at) => `msg_${at}`);

const METHODS = ["pruneBulk", "pruneBatch", "prune"];

export interface Served {
  /** Those of the plugin; empty: there is none. */
  readonly methods?: readonly string[];
  /** Instead of what a plugin with these methods says when it is asked for them. */
  readonly probed?: Answer;
  readonly signal?: AbortSignal;
}

/** Prunes the given messages; the server gives the answers in order, one a call. */
export async function prune(
  messages: readonly (string | PlannedMessage)[],
  answers: readonly Answer[] | Answer,
  { methods = METHODS, probed, signal }: Served = {},
) {
  const calls: Call[] = [];
  const script = typeof answers === "function" ? undefined : [...answers];
  const refusal = (type: string) => refused(400, { _tag: "RpcError", type, message: "" });
  const server = await startFakeServer((request, response) => {
    const call = callOf(request);
    if (call.input.sessionID === undefined) {
      const type = methods.includes(call.method) ? "rpc.invalid_input" : "rpc.method_not_found";
      const says = probed ?? refusal(methods.length === 0 ? "rpc.unavailable" : type);
      says(response, call);
      return;
    }
    calls.push(call);
    const answer = script ? (script.shift() ?? never) : (answers as Answer);
    answer(response, call);
  });
  onTestFinished(() => server.close());
  const reread: string[] = [];
  const seen: PruneProgress[] = [];
  const pruning = createPruning({
    client: OpenCode.make({ baseUrl: server.url }),
    onPruned: (message: MessageReference) => reread.push(message.messageID),
    retries: [1, 1],
    // Long enough for a busy machine, unless the point is that nothing comes.
    timeout: script === undefined || (script.length > 0 && !script.includes(never)) ? 10_000 : 1_000,
  });
  const plan = messages.map((message) => (typeof message === "string" ? planned(message) : message));
  const report = await pruning.prune(
    { messages: plan, refused: [], parts: 2 * plan.length, bytes: 15 * plan.length },
    { ...(signal ? { signal } : {}), onProgress: (progress) => seen.push(progress) },
  );
  return { report, reread, calls, seen };
}

function callOf({ url, body }: Received): Call {
  const { pathname, searchParams } = new URL(url, "http://fake");
  const method = pathname.split("/").at(-1) ?? "";
  return { method, directory: searchParams.get("location[directory]"), input: JSON.parse(body).input };
}

export const refusalOf = (messageID: string, reason: string, sessionID = "ses_1") => ({
  sessionID,
  messageID,
  parts: 2,
  reason,
});

export const counts = ({ prunedMessages, refused: { length }, skippedMessages }: PruneReport) => [
  prunedMessages,
  length,
  skippedMessages,
];
export const idsOf = ({ input }: Call): string[] => {
  const requests: MessageReference[] = input.requests ?? input.candidates ?? [input];
  return requests.map(({ messageID }) => messageID);
};
