import type * as z from "zod";
import {
  AbortedError,
  MalformedError,
  NotFoundError,
  OpenCodeError,
  RpcRefusedError,
  ServerError,
  UnauthorisedError,
  UnreachableError,
} from "./errors.ts";
import { describeIssue } from "./issue.ts";

export interface HttpOptions {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until an unanswered request counts as unreachable. */
  readonly timeout: number;
  /** Nothing is sent before this has resolved; where it rejects, so does every call. */
  readonly usable?: (() => Promise<unknown>) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until this call counts as unanswered, where the client's own limit is too long or too short. */
  readonly timeout?: number | undefined;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path below the base, each segment encoded. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
}

/** One daemon over HTTP: sends, reads, and turns every failure into an `OpenCodeError`. */
export class Http {
  readonly baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number;
  readonly #usable: (() => Promise<unknown>) | undefined;

  constructor(options: HttpOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#headers = options.headers ?? {};
    this.#timeout = options.timeout;
    this.#usable = options.usable;
  }

  /** The parsed answer. It is checked, never rebuilt: members that the schema does not know stay as they came. */
  async json<S extends z.ZodType>(
    schema: S,
    request: HttpRequest,
    options: CallOptions = {},
  ): Promise<z.output<S>> {
    const call = `${request.method} ${request.path}`;
    const limit = new Limit(options.signal, options.timeout ?? this.#timeout);
    try {
      const response = await this.#fetch(request, "application/json", limit.signal);
      const text = await response.text();
      if (!response.ok) throw this.#refusal(call, response.status, text);
      return this.#parse(schema, call, text);
    } catch (error) {
      throw this.#typed(error, call, limit);
    } finally {
      limit.clear();
    }
  }

  /** Opens a response that is read as a stream. `signal` ends it at any time. */
  async stream(request: HttpRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const call = `${request.method} ${request.path}`;
    const limit = new Limit(signal, this.#timeout);
    try {
      const response = await this.#fetch(request, "text/event-stream", limit.signal);
      if (!response.ok) throw this.#refusal(call, response.status, await response.text());
      const type = response.headers.get("content-type") ?? "nothing";
      if (!response.body || !type.startsWith("text/event-stream")) {
        throw new MalformedError(this.baseUrl, call, "", `expected an event stream, received ${type}`);
      }
      return response.body;
    } catch (error) {
      limit.clear();
      throw this.#typed(error, call, limit);
    } finally {
      limit.stopClock();
    }
  }

  /** The typed error for a stream that broke. */
  broken(error: unknown, call: string, signal: AbortSignal): Error {
    if (signal.aborted) return new AbortedError(call);
    return error instanceof OpenCodeError
      ? error
      : new UnreachableError(this.baseUrl, networkReason(error), true);
  }

  async #fetch(request: HttpRequest, accept: string, signal: AbortSignal): Promise<Response> {
    await this.#usable?.();
    const url = new URL(`${this.baseUrl}${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return fetch(url, {
      method: request.method,
      headers: {
        ...this.#headers,
        accept,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: "manual",
      signal,
    });
  }

  #parse<S extends z.ZodType>(schema: S, call: string, text: string): z.output<S> {
    const value = fromJson(text);
    if (value === NOT_JSON) throw new MalformedError(this.baseUrl, call, "", "expected JSON");
    const result = schema.safeParse(value);
    if (!result.success) {
      const { path, reason } = describeIssue(result.error);
      throw new MalformedError(this.baseUrl, call, path, reason);
    }
    return value as z.output<S>;
  }

  #refusal(call: string, status: number, text: string): Error {
    const { tag, type, message } = readRefusal(text);
    if (status === 401 || status === 403) return new UnauthorisedError(this.baseUrl);
    if (status === 404) {
      return tag === ""
        ? new NotFoundError(
            "",
            `The server at ${this.baseUrl} does not know ${call}; check that it is an OpenCode 2 server.`,
          )
        : new NotFoundError(tag, `${message}; it may have been deleted, so list again.`);
    }
    if (tag === "RpcError") {
      return new RpcRefusedError(
        type,
        `The server at ${this.baseUrl} refused ${call} (${type}: ${message}); look at the plugin with \`opencode-prune plugin status\`.`,
      );
    }
    if (tag === "RpcInternalError") {
      return new RpcRefusedError(
        "rpc.internal",
        `The plugin failed inside the server at ${this.baseUrl} on ${call}; look at the server's log.`,
      );
    }
    if (status >= 300 && status < 400) {
      return new ServerError(
        status,
        "",
        `The server at ${this.baseUrl} redirects ${call} elsewhere; name the address that it redirects to with --server.`,
      );
    }
    return new ServerError(
      status,
      tag,
      `The server at ${this.baseUrl} refused ${call} with status ${status}${message === "" ? "" : ` (${message})`}; look at the server's log.`,
    );
  }

  #typed(error: unknown, call: string, limit: Limit): Error {
    if (error instanceof OpenCodeError) return error;
    if (limit.aborted) return new AbortedError(call);
    if (limit.timedOut) {
      const seconds = Math.round(limit.timeout / 1000);
      return new UnreachableError(this.baseUrl, `no answer within ${seconds} s`, true);
    }
    return new UnreachableError(this.baseUrl, networkReason(error), !neverConnected(error));
  }
}

/** The caller's signal and a time limit as one signal, without leaving listeners on a long-lived signal. */
class Limit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#controller.abort();
  timedOut = false;

  constructor(
    caller: AbortSignal | undefined,
    readonly timeout: number,
  ) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.#controller.abort();
    }, timeout);
    if (caller?.aborted) this.#controller.abort();
    else caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#caller?.aborted ?? false;
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }
}

const NOT_JSON = Symbol("not JSON");

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

/** The members that OpenCode's errors have, as far as the body has them. */
function readRefusal(text: string): { tag: string; type: string; message: string } {
  const body = fromJson(text);
  const members = (body !== null && typeof body === "object" ? body : {}) as Record<string, unknown>;
  const member = (name: string) => (typeof members[name] === "string" ? members[name] : "");
  const message = (member("message").split("\n", 1)[0] ?? "").slice(0, 200).replace(/[.\s]+$/, "");
  return { tag: member("_tag"), type: member("type"), message };
}

const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "BAD_PORT",
]);

function neverConnected(error: unknown): boolean {
  return NEVER_CONNECTED.has(networkCode(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  BAD_PORT: "the port is reserved for another protocol",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};

function networkReason(error: unknown): string {
  const code = networkCode(error);
  return REASONS[code] ?? (code === "" ? "the connection failed" : code);
}

/** `fetch` hides the reason in a chain of causes, and several attempts (IPv4, IPv6) in an AggregateError. */
function networkCode(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; ) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && code !== "") return code;
    if (at.message === "bad port") return "BAD_PORT";
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return "";
}
