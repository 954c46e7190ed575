import * as z from "zod";
import { MAX_CURSOR_LENGTH } from "./limits.ts";
import { count, cursor, messageID, sessionID } from "./members.ts";
import { Blocked, Candidate } from "./rpc.ts";

/** The method of the pruning RPC that scans history: counts, search, and candidates for a cleaning. */
export const HISTORY_METHOD = "history";
export const HISTORY_PURPOSES = ["search", "stats", "prune"] as const;
export type HistoryPurpose = (typeof HISTORY_PURPOSES)[number];

/** Bounds of one page. */
export const MAX_HISTORY_ROWS = 32;
export const MAX_QUERY_LENGTH = 200;
export const MAX_EXCERPT_LENGTH = 320;

const QUERY_RULE = `query must be a text of at most ${MAX_QUERY_LENGTH} characters`;

/** Without `sessionID`: the sessions of the location at which the call is made, and of the folders below it. */
export const HistoryInput = z
  .strictObject({
    sessionID: sessionID.optional(),
    /** Sought literally, in upper and lower case alike; nothing is sought when it is empty. */
    query: z.string(QUERY_RULE).max(MAX_QUERY_LENGTH, QUERY_RULE).default(""),
    /** Whether tool and reasoning parts are searched too. */
    includeTechnical: z.boolean("includeTechnical must be true or false").default(true),
    purpose: z
      .enum(HISTORY_PURPOSES, `purpose must be one of ${HISTORY_PURPOSES.join(", ")}`)
      .default("search"),
    cursor: cursor.optional(),
  })
  .refine(
    (input) => input.purpose !== "prune" || input.sessionID !== undefined,
    "the purpose prune needs a sessionID",
  );
export type HistoryInput = z.infer<typeof HistoryInput>;

export const HistoryHit = z.strictObject({
  sessionID,
  messageID,
  /** The message's type: `assistant`, `user`, `system`, and so on. */
  role: z.string().max(32),
  /** Position in an assistant message's `content`; 0 for the others. */
  partIndex: count,
  kind: z.enum(["text", "tool", "reasoning"]),
  excerpt: z.string().max(MAX_EXCERPT_LENGTH),
});
export type HistoryHit = z.infer<typeof HistoryHit>;

const counts = {
  /** Messages looked at. */
  scanned: count,
  tools: count,
  reasoning: count,
  /** Messages that could not be looked into, or, for `prune`, that hold technical parts and cannot be pruned. */
  skipped: count,
};

export const HistorySession = z.strictObject({
  sessionID,
  directory: z.string(),
  workspaceID: z.string().optional(),
  ...counts,
});
export type HistorySession = z.infer<typeof HistorySession>;

export const HistoryPage = z.strictObject({
  status: z.literal("page"),
  ...counts,
  hits: z.array(HistoryHit).max(MAX_HISTORY_ROWS),
  candidates: z.array(Candidate).max(MAX_HISTORY_ROWS),
  /** The same counts for each session that the page looked into. */
  sessions: z.array(HistorySession).max(MAX_HISTORY_ROWS).optional(),
  cursor: z.string().max(MAX_CURSOR_LENGTH).nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;

export const HistoryOutput = z.discriminatedUnion("status", [HistoryPage, Blocked]);
export type HistoryOutput = z.infer<typeof HistoryOutput>;
