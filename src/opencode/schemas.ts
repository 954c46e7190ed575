import * as z from "zod";

/**
 * What we read of the daemon's answers (OpenCode 2.0.15, `GET /openapi.json`). Objects are loose, since a newer
 * daemon may add members, and nothing is transformed: a revision is computed from content exactly as received.
 */
export const ServerInfo = z.looseObject({
  version: z.string(),
  pid: z.number(),
  urls: z.array(z.string()),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

export const Location = z.looseObject({ directory: z.string() });

/** A folder that OpenCode can work in, and the root of the project that it belongs to. */
export const LocationInfo = z.looseObject({ directory: z.string(), project: Location });
export type LocationInfo = z.infer<typeof LocationInfo>;

export const Session = z.looseObject({
  id: z.string().min(1),
  parentID: z.string().optional(),
  projectID: z.string(),
  title: z.string().optional(),
  outcome: z.string().optional(),
  /** Milliseconds since the epoch. */
  time: z.looseObject({
    created: z.number(),
    updated: z.number(),
    idle: z.number().optional(),
    archived: z.number().optional(),
  }),
  location: Location,
  /** Present while a revert is staged. */
  revert: z.unknown().optional(),
});
export type Session = z.infer<typeof Session>;

const Cursor = z.looseObject({ previous: z.string().nullish(), next: z.string().nullish() });

export const SessionPage = z.looseObject({ data: z.array(Session), cursor: Cursor });
export type SessionPage = z.infer<typeof SessionPage>;

export const SessionAnswer = z.looseObject({ data: Session });

/** The sessions that run now, by id. */
export const ActiveAnswer = z.looseObject({
  data: z.record(z.string(), z.looseObject({ type: z.string() })),
});
export type ActiveSessions = z.infer<typeof ActiveAnswer>["data"];

export const Part = z.looseObject({ type: z.string() });
export type Part = z.infer<typeof Part>;

const Content = z.array(Part);

export interface OtherMessage {
  readonly id: string;
  readonly type: string;
  readonly time: { readonly created: number };
  readonly [member: string]: unknown;
}

export interface AssistantMessage extends OtherMessage {
  readonly type: "assistant";
  readonly time: { readonly created: number; readonly completed?: number };
  readonly content: readonly Part[];
}

export type Message = AssistantMessage | OtherMessage;

export function isAssistant(message: Message): message is AssistantMessage {
  return message.type === "assistant";
}

export const Message = z
  .looseObject({
    id: z.string().min(1),
    type: z.string(),
    time: z.looseObject({ created: z.number(), completed: z.number().optional() }),
  })
  .superRefine((message, context) => {
    if (message.type !== "assistant") return;
    const content = Content.safeParse(message.content);
    for (const { path, message: reason } of content.error?.issues ?? []) {
      context.addIssue({ code: "custom", path: ["content", ...path], message: reason });
    }
  }) as unknown as z.ZodType<Message>;

export const MessagePage = z.looseObject({ data: z.array(Message), cursor: Cursor });
export type MessagePage = z.infer<typeof MessagePage>;

export const MessageAnswer = z.looseObject({ data: Message });

export const RpcAnswer = z.looseObject({ output: z.unknown() });
export type RpcAnswer = z.infer<typeof RpcAnswer>;

/** The first entry of type `directory` is the daemon's global configuration folder. */
export const ConfigEntries = z.array(z.looseObject({ type: z.string(), path: z.string().optional() }));
export type ConfigEntries = z.infer<typeof ConfigEntries>;

export const PluginInfo = z.looseObject({
  /** Absent while a plugin could not be loaded far enough to say its id. */
  id: z.string().optional(),
  source: z.looseObject({ type: z.string(), path: z.string().optional() }),
  state: z.looseObject({ status: z.string(), error: z.string().optional() }),
});
export type PluginInfo = z.infer<typeof PluginInfo>;

export const PluginAnswer = z.looseObject({ data: z.array(PluginInfo) });
export type PluginAnswer = z.infer<typeof PluginAnswer>;

export const OpenCodeEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  /** Milliseconds since the epoch. */
  created: z.number().optional(),
  location: Location.optional(),
  /** On native events that change stored state: the session, and its own count. */
  durable: z.looseObject({ aggregateID: z.string(), seq: z.number() }).optional(),
  data: z.unknown(),
});
export type OpenCodeEvent = z.infer<typeof OpenCodeEvent>;
