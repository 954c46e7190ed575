import {
  canonicalJson,
  type Json,
  outlineMessage,
  outlineTuple,
  type PartFacts,
  revisionOf,
} from "../../../../src/contract/index.ts";
import {
  type AssistantMessage,
  NotFoundError,
  type OpenCodeClient,
  RpcRefusedError,
  ServerError,
  type Session,
  UnreachableError,
} from "../../../../src/opencode/index.ts";

export const DIRECTORY = "/project";

interface FakeSession {
  messages: AssistantMessage[];
  directory: string;
  blocked: string | null;
  reverted: boolean;
}

export interface RpcCall {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of every method
  readonly input: any;
}

/** What happens to a call instead of, or besides, being answered. */
export type Fault = "cut_before" | "cut_after" | "lost" | (() => void);

const ALL = ["preview", "prune", "pruneBatch", "pruneBulk", "history", "outline"];

/** A daemon in memory: its history, a plugin with receipts, and faults on demand. */
export class FakeDaemon {
  readonly sessions = new Map<string, FakeSession>();
  readonly active = new Set<string>();
  /** The methods that its plugin has; empty: there is no plugin. */
  methods = new Set(ALL);
  /** Every call of the RPCs but the probes. */
  readonly calls: RpcCall[] = [];
  /** Ids of the deleted tools and texts of the deleted thoughts, in the order of their deletion. */
  readonly deleted: string[] = [];
  /** For the next deleting calls, one each. */
  readonly faults: (Fault | undefined)[] = [];
  /** How many messages one call of `pruneBulk` reaches. */
  reach = Number.POSITIVE_INFINITY;
  /** Reasons for the next messages that are to be pruned, one each. */
  readonly blocks: (string | undefined)[] = [];
  /** Sessions at which the daemon itself fails. */
  readonly broken = new Set<string>();
  /** Runs before candidates are looked for. */
  beforeHistory = () => {};
  /** Nothing answers any more. */
  isUnreachable = false;
  #receipts = new Map<string, object>();

  add(sessionID: string, messages: readonly AssistantMessage[], directory = DIRECTORY): void {
    this.sessions.set(sessionID, { messages: [...messages], directory, blocked: null, reverted: false });
  }

  session(sessionID: string): FakeSession {
    const session = this.sessions.get(sessionID);
    if (!session) throw new NotFoundError("SessionNotFoundError", "there is none");
    return session;
  }

  message(sessionID: string, messageID: string): AssistantMessage {
    const message = this.session(sessionID).messages.find(({ id }) => id === messageID);
    if (!message) throw new NotFoundError("MessageNotFoundError", "there is none");
    return message;
  }

  /** The calls that delete. */
  get requests(): readonly RpcCall[] {
    return this.calls.filter(({ method }) => method.startsWith("prune"));
  }

  /** What is left of a session, by message. */
  left(sessionID: string): Record<string, readonly string[]> {
    return Object.fromEntries(
      this.session(sessionID).messages.map(({ id, content }) => [id, content.map((part) => nameOf(part))]),
    );
  }

  get client(): OpenCodeClient {
    const client: Pick<OpenCodeClient, "baseUrl" | "session" | "message" | "rpc"> = {
      baseUrl: "http://fake",
      session: {
        list: () => Promise.reject(new Error("not asked for")),
        get: async ({ sessionID }) => this.#listing(sessionID),
        active: async () => Object.fromEntries([...this.active].map((id) => [id, { type: "running" }])),
        message: async ({ sessionID, messageID }) => this.message(sessionID, messageID),
      },
      message: {
        list: async ({ sessionID, limit = 100, cursor }) => {
          const from = Number(cursor ?? 0);
          const data = this.session(sessionID).messages.slice(from, from + limit);
          return { data, cursor: { next: String(from + limit) } };
        },
      },
      rpc: {
        call: async ({ method, input, location }) => ({
          output: await this.#rpc(method, input, location?.directory ?? ""),
        }),
      },
    };
    return client as OpenCodeClient;
  }

  #listing(sessionID: string): Session {
    if (this.isUnreachable) throw new UnreachableError("http://fake", "connection refused", false);
    if (this.broken.has(sessionID)) throw new ServerError(500, "", "the server failed");
    const { directory, reverted } = this.session(sessionID);
    return {
      id: sessionID,
      projectID: "global",
      time: { created: 1, updated: 1 },
      location: { directory },
      ...(reverted ? { revert: {} } : {}),
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: inputs of every method
  async #rpc(method: string, input: any, directory: string): Promise<unknown> {
    if (this.isUnreachable) throw new UnreachableError("http://fake", "connection refused", false);
    if (this.methods.size === 0) throw new RpcRefusedError("rpc.unavailable", "nobody registered it");
    if (!this.methods.has(method)) throw new RpcRefusedError("rpc.method_not_found", "no such method");
    if (input.sessionID === undefined) throw new RpcRefusedError("rpc.invalid_input", "it is empty");
    this.calls.push({ method, input });
    if (method === "history") this.beforeHistory();
    if (!method.startsWith("prune")) return this.#read(method, input, directory);
    const fault = this.faults.shift();
    if (fault === "lost") throw new UnreachableError("http://fake", "connection refused", false);
    if (fault === "cut_before") throw new UnreachableError("http://fake", "the connection was cut", true);
    const output = this.#delete(method, input);
    if (fault === "cut_after") throw new UnreachableError("http://fake", "the connection was cut", true);
    if (typeof fault === "function") fault();
    return output;
  }

  // biome-ignore lint/suspicious/noExplicitAny: inputs of every method
  #read(method: string, input: any, directory: string): unknown {
    const session = this.sessions.get(input.sessionID);
    const isHere = session?.directory === directory;
    if (method === "outline") {
      if (!session || !isHere) return { status: "refused", reason: session ? "other_location" : "missing" };
      const from = Number(input.cursor ?? 0);
      const messages = session.messages.slice(from, from + 2).map(tupleOf);
      const cursor = from + 2 < session.messages.length ? String(from + 2) : null;
      return { status: "page", blocked: session.blocked, messages, cursor };
    }
    if (!session || !isHere) return { status: "blocked", reason: "not_deletable" };
    const from = Number(input.cursor ?? 0);
    const candidates = session.messages
      .slice(from, from + 2)
      .map((message) => ({ outline: outlineMessage(message), message }))
      .filter(({ outline }) => outline.unprunable === undefined && outline.parts.length > 0)
      .map(({ outline: { messageID, parts }, message }) => ({
        messageID,
        revision: revisionOf(message.content),
        toolCount: parts.filter(({ type }) => type === "tool").length,
        reasoningCount: parts.filter(({ type }) => type === "reasoning").length,
      }));
    const cursor = from + 2 < session.messages.length ? String(from + 2) : null;
    const counts = { scanned: 2, tools: 0, reasoning: 0, skipped: 0 };
    return { status: "page", ...counts, hits: [], candidates, cursor };
  }

  // biome-ignore lint/suspicious/noExplicitAny: inputs of every method
  #delete(method: string, input: any): unknown {
    const { sessionID } = input;
    if (method === "prune") return this.#prune(sessionID, input);
    const asked: object[] = method === "pruneBulk" ? input.requests : input.candidates;
    const reached = method === "pruneBulk" ? asked.slice(0, this.reach) : asked;
    const results = reached.map((request) => ({
      messageID: (request as { messageID: string }).messageID,
      result: this.#prune(sessionID, { sessionID, ...request }),
    }));
    return method === "pruneBulk" ? { results, left: asked.length - results.length } : { results };
  }

  // biome-ignore lint/suspicious/noExplicitAny: either form of a request
  #prune(sessionID: string, request: any): object {
    const key = canonicalJson(request as Json);
    const receipt = this.#receipts.get(key);
    if (receipt) return receipt;
    const reason = this.blocks.shift();
    if (reason !== undefined) return { status: "blocked", reason };
    const session = this.session(sessionID);
    if (session.blocked !== null) return { status: "blocked", reason: session.blocked };
    const message = this.message(sessionID, request.messageID);
    if (revisionOf(message.content) !== request.revision) return { status: "blocked", reason: "conflict" };
    const isTechnical = (type: string) => type === "tool" || type === "reasoning";
    const gone = new Set<number>(
      request.indexes ?? message.content.flatMap(({ type }, index) => (isTechnical(type) ? [index] : [])),
    );
    const counted = (type: string) => message.content.filter((part) => part.type === type).length;
    const countsFit =
      request.indexes !== undefined ||
      (counted("tool") === request.toolCount && counted("reasoning") === request.reasoningCount);
    if (!countsFit) return { status: "blocked", reason: "conflict" };
    this.deleted.push(...message.content.filter((_, index) => gone.has(index)).map(nameOf));
    const content = message.content.filter((_, index) => !gone.has(index));
    session.messages = session.messages.map((one) => (one === message ? { ...message, content } : one));
    const pruned = {
      status: "pruned",
      messageID: message.id,
      revision: revisionOf(content),
      removedCount: gone.size,
    };
    this.#receipts.set(key, pruned);
    return pruned;
  }
}

function nameOf(part: Readonly<Record<string, unknown>>): string {
  return String(part.id ?? part.text);
}

function tupleOf(message: AssistantMessage) {
  const { created, storedBytes } = outlineMessage(message);
  const parts = message.content.map((part, index): PartFacts => {
    const state = part.state as { status?: string } | undefined;
    const bytes = Buffer.byteLength(JSON.stringify(part));
    return [index, bytes, [part.type, null, part.id, part.name, state?.status], ""];
  });
  return outlineTuple(
    {
      messageID: message.id,
      created,
      completed: message.time.completed,
      storedBytes,
      partCount: parts.length,
    },
    parts,
  );
}

/** A completed message with one kept text, `tools` tools and one thought. */
export function message(id: string, tools = 1, time: object = {}): AssistantMessage {
  return {
    id,
    type: "assistant",
    time: { created: 1_000, completed: 2_000, ...time },
    content: [
      { type: "text", text: `text of ${id}` },
      { type: "reasoning", text: `thought of ${id}` },
      ...Array.from({ length: tools }, (_, at) => ({
        type: "tool",
        id: `${id}.${at}`,
        name: "read",
        state: { status: "completed", input: {}, content: [] },
      })),
    ],
  };
}

export function messages(count: number, prefix = "msg"): AssistantMessage[] {
  return Array.from({ length: count }, (_, at) => message(`${prefix}_${String(at).padStart(4, "0")}`));
}
