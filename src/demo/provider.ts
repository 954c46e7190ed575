import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KIND_HEADER } from "./fixture-plugin.ts";
import type { Gate } from "./gate.ts";

/**
 * A scripted model on loopback that speaks OpenAI's streaming chat completions, as far as OpenCode asks for
 * them. It answers what was queued, records what it was asked, and can hold an answer open.
 */
export interface ScriptedProvider {
  /** The base URL for the configuration, `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** Every request received, oldest first, with its whole body. */
  readonly requests: readonly ModelRequest[];
  /** Queues answers for requests of one kind (default `primary`); each is used once, in order. */
  queue(answers: ModelAnswer | readonly ModelAnswer[], kind?: string): void;
  /** What a request of this kind gets while nothing is queued for it. By default one short text. */
  otherwise(answer: ModelAnswer, kind?: string): void;
  /** Resolves with the `count`th (1 is the first) request of a kind as soon as it is received. */
  received(kind: string, count: number): Promise<ModelRequest>;
  /** Ends every open answer and stops listening. */
  close(): Promise<void>;
}

export interface ModelRequest {
  /** `primary`, `compaction` or what else OpenCode calls it; `unknown` without the fixture plugin. */
  readonly kind: string;
  readonly body: ChatBody;
}

/** The members of a chat completion request that a test looks at. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [member: string]: unknown;
}

/** The pieces of one answer, streamed in order. An answer that calls a tool ends with `tool_calls`. */
export type ModelAnswer = readonly AnswerPiece[];

export type AnswerPiece =
  | { readonly reasoning: string }
  | { readonly text: string }
  | { readonly tool: ToolCall }
  /** The stream stays open here until the gate opens. */
  | { readonly hold: Gate }
  /** Answers with this HTTP status instead; only as the first piece. */
  | { readonly failure: { readonly status: number; readonly message: string } };

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** By default a fresh one. */
  readonly id?: string;
}

export const PRIMARY = "primary";
const DEFAULT_ANSWER: ModelAnswer = [{ text: "Done." }];
/** Streams are cut into deltas of this many characters, so that several arrive for anything real. */
const DELTA_LENGTH = 400;

export async function startProvider(): Promise<ScriptedProvider> {
  const requests: ModelRequest[] = [];
  const queued = new Map<string, ModelAnswer[]>();
  const fallback = new Map<string, ModelAnswer>();
  const waiting = new Set<() => void>();
  let calls = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as ChatBody;
    const header = request.headers[KIND_HEADER];
    const kind = typeof header === "string" ? header : "unknown";
    requests.push({ kind, body });
    for (const look of waiting) look();
    const pieces = queued.get(kind)?.shift() ?? fallback.get(kind) ?? DEFAULT_ANSWER;
    await stream(response, body.model, pieces, () => `call_${++calls}`);
  };

  const server = createServer((request, response) => {
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      response.writeHead(404).end();
      return;
    }
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    queue(answers, kind = PRIMARY) {
      const list = queued.get(kind) ?? [];
      queued.set(kind, list);
      if (isOneAnswer(answers)) list.push(answers);
      else list.push(...answers);
    },
    otherwise(pieces, kind = PRIMARY) {
      fallback.set(kind, pieces);
    },
    received(kind, count) {
      return new Promise((resolve) => {
        const look = () => {
          const found = requests.filter((one) => one.kind === kind)[count - 1];
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isOneAnswer(answers: ModelAnswer | readonly ModelAnswer[]): answers is ModelAnswer {
  return !Array.isArray(answers[0]);
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function stream(response: ServerResponse, model: string, pieces: ModelAnswer, nextID: () => string) {
  const first = pieces[0];
  if (first && "failure" in first) {
    response.writeHead(first.failure.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: first.failure.message } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  const send = (choice: object, usage?: object) => {
    const chunk = {
      id: "chatcmpl-scripted",
      object: "chat.completion.chunk",
      created: 0,
      model,
      choices: [{ index: 0, ...choice }],
      ...(usage ? { usage } : {}),
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ delta: { role: "assistant", content: "" }, finish_reason: null });
  let tools = 0;
  let written = 0;
  for (const piece of pieces) {
    if (response.destroyed) return;
    if ("hold" in piece) await Promise.race([piece.hold.pass(), closed]);
    if ("reasoning" in piece)
      for (const delta of deltas(piece.reasoning))
        send({ delta: { reasoning_content: delta }, finish_reason: null });
    if ("text" in piece)
      for (const delta of deltas(piece.text)) send({ delta: { content: delta }, finish_reason: null });
    if ("tool" in piece) sendTool(send, piece.tool, tools++, nextID);
    written += JSON.stringify(piece).length;
  }
  if (response.destroyed) return;
  const completion = Math.ceil(written / 4);
  send(
    { delta: {}, finish_reason: tools > 0 ? "tool_calls" : "stop" },
    { prompt_tokens: 1000, completion_tokens: completion, total_tokens: 1000 + completion },
  );
  response.end("data: [DONE]\n\n");
}

/** The name comes first, the arguments after it in deltas, as a real provider streams them. */
function sendTool(send: (choice: object) => void, tool: ToolCall, index: number, nextID: () => string) {
  const id = tool.id ?? nextID();
  const start = { index, id, type: "function", function: { name: tool.name, arguments: "" } };
  send({ delta: { tool_calls: [start] }, finish_reason: null });
  for (const delta of deltas(JSON.stringify(tool.input)))
    send({ delta: { tool_calls: [{ index, function: { arguments: delta } }] }, finish_reason: null });
}

function deltas(whole: string): string[] {
  const cut: string[] = [];
  for (let at = 0; at < whole.length; at += DELTA_LENGTH) cut.push(whole.slice(at, at + DELTA_LENGTH));
  return cut;
}
