import { NotFoundError } from "./errors.ts";
import { type SubscribeOptions, subscribe } from "./event-stream.ts";
import { type CallOptions, Http } from "./http.ts";
import {
  ActiveAnswer,
  type ActiveSessions,
  ConfigEntries,
  LocationInfo,
  type Message,
  MessageAnswer,
  MessagePage,
  type OpenCodeEvent,
  PluginAnswer,
  RpcAnswer,
  ServerInfo,
  type Session,
  SessionAnswer,
  SessionPage,
} from "./schemas.ts";

export * from "./errors.ts";
export type { SubscribeOptions } from "./event-stream.ts";
export type { CallOptions } from "./http.ts";
export type {
  ActiveSessions,
  AssistantMessage,
  ConfigEntries,
  LocationInfo,
  Message,
  MessagePage,
  OpenCodeEvent,
  OtherMessage,
  Part,
  PluginAnswer,
  PluginInfo,
  RpcAnswer,
  ServerInfo,
  Session,
  SessionPage,
} from "./schemas.ts";
export { isAssistant } from "./schemas.ts";

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4096`, without credentials. */
  readonly baseUrl: string;
  /** Sent with every request; see `passwordHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until an unanswered request counts as unreachable; 60,000 by default. */
  readonly timeout?: number;
  /** Nothing is sent before this has resolved; where it rejects, so does every call. */
  readonly usable?: () => Promise<unknown>;
}

export interface LocationInput {
  readonly location?: { readonly directory: string };
}

export interface SessionListInput {
  /** 50 by default; large ones are accepted. */
  readonly limit?: number;
  /** By creation, newest first by default. Do not send it with a cursor. */
  readonly order?: "asc" | "desc";
  readonly search?: string;
  readonly parentID?: string;
  readonly directory?: string;
  readonly project?: string;
  readonly cursor?: string;
}

export interface MessageListInput {
  readonly sessionID: string;
  /** At most 200. */
  readonly limit?: number;
  /** Do not send it with a cursor. */
  readonly order?: "asc" | "desc";
  readonly cursor?: string;
  readonly type?: string;
}

export interface RpcCallInput extends LocationInput {
  readonly rpcID: string;
  readonly method: string;
  readonly input: unknown;
}

/**
 * The part of `@opencode/client`'s promise API that we use, with the same names and shapes. Every call throws
 * an `OpenCodeError` of one of the kinds in errors.ts and nothing else.
 */
export interface OpenCodeClient {
  readonly baseUrl: string;
  readonly server: {
    info(options?: CallOptions): Promise<ServerInfo>;
  };
  readonly session: {
    /** A page. The last full page still names a `next`: stop at a page that is empty or shorter than asked. */
    list(input?: SessionListInput, options?: CallOptions): Promise<SessionPage>;
    get(input: { readonly sessionID: string }, options?: CallOptions): Promise<Session>;
    active(options?: CallOptions): Promise<ActiveSessions>;
    message(
      input: { readonly sessionID: string; readonly messageID: string },
      options?: CallOptions,
    ): Promise<Message>;
  };
  readonly message: {
    /** A page with whole content. */
    list(input: MessageListInput, options?: CallOptions): Promise<MessagePage>;
  };
  readonly rpc: {
    call(input: RpcCallInput, options?: CallOptions): Promise<RpcAnswer>;
  };
  readonly event: {
    /** See event-stream.ts. */
    subscribe(options?: SubscribeOptions): AsyncIterable<OpenCodeEvent>;
  };
  readonly config: {
    get(input?: LocationInput, options?: CallOptions): Promise<ConfigEntries>;
  };
  readonly location: {
    get(input?: LocationInput, options?: CallOptions): Promise<LocationInfo>;
  };
  readonly plugin: {
    list(input?: LocationInput, options?: CallOptions): Promise<PluginAnswer>;
  };
}

const DEFAULT_TIMEOUT = 60_000;

export const OpenCode = {
  make(options: ClientOptions): OpenCodeClient {
    const http = new Http({ ...options, timeout: options.timeout ?? DEFAULT_TIMEOUT });
    return {
      baseUrl: http.baseUrl,
      server: {
        info: (call) => http.json(ServerInfo, get("/api/info"), call),
      },
      session: {
        list: (input = {}, call) => http.json(SessionPage, get("/api/session", { ...input }), call),
        get: async ({ sessionID }, call) =>
          (await http.json(SessionAnswer, get(`/api/session/${segment(sessionID)}`), call)).data,
        active: async (call) => (await http.json(ActiveAnswer, get("/api/session/active"), call)).data,
        message: async ({ sessionID, messageID }, call) => {
          const path = `/api/session/${segment(sessionID)}/message/${segment(messageID)}`;
          return (await http.json(MessageAnswer, get(path), call)).data;
        },
      },
      message: {
        list: async ({ sessionID, ...query }, call) =>
          http.json(MessagePage, get(`/api/session/${segment(sessionID)}/message`, query), call),
      },
      rpc: {
        call: async ({ rpcID, method, input, location }, call) =>
          http.json(
            RpcAnswer,
            {
              method: "POST",
              path: `/api/rpc/${segment(rpcID)}/${segment(method)}`,
              query: at(location),
              body: { input },
            },
            call,
          ),
      },
      event: {
        subscribe: (call = {}) => subscribe(http, call),
      },
      config: {
        get: (input = {}, call) => http.json(ConfigEntries, get("/api/config", at(input.location)), call),
      },
      location: {
        get: (input = {}, call) => http.json(LocationInfo, get("/api/location", at(input.location)), call),
      },
      plugin: {
        list: (input = {}, call) => http.json(PluginAnswer, get("/api/plugin", at(input.location)), call),
      },
    };
  },
};

/** The header that carries the server's password. */
export function passwordHeaders(password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`opencode:${password}`, "utf8").toString("base64")}` };
}

function get(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) {
  return { method: "GET", path, query } as const;
}

function at(location: { readonly directory: string } | undefined) {
  return location === undefined ? {} : { "location[directory]": location.directory };
}

/** One segment of a path. Encoded dots would still climb in it, and no id is made of them alone. */
function segment(id: string): string {
  if (id === "" || id === "." || id === "..")
    throw new NotFoundError("", `"${id}" is not an id; name another.`);
  return encodeURIComponent(id);
}
