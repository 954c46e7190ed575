import * as z from "zod";
import { bytes, count, document, moment, partCounts } from "./document.ts";

const unprunable = z
  .enum(["incomplete", "unsettled_tool", "unknown_part", "too_large", "malformed"])
  .describe("why nothing of the message can be pruned now");

export const SessionsDocument = document("sessions", {
  sessions: z.array(
    z.strictObject({
      sessionID: z.string(),
      title: z.string(),
      directory: z.string(),
      projectID: z.string(),
      parentID: z.string().optional(),
      created: moment,
      updated: moment,
      activity: z.enum(["idle", "running", "suspended", "reverted", "compacting"]),
      messages: count.optional().describe("absent where the server's plugin cannot tell"),
      storedBytes: bytes.optional().describe("absent where the server's plugin cannot tell"),
    }),
  ),
});

const technicalPart = z.strictObject({
  index: count.describe("position in the message's content"),
  type: z.enum(["tool", "reasoning"]),
  bytes,
  toolID: z.string().optional(),
  tool: z.string().optional().describe("the tool's name; absent on reasoning"),
  status: z.string().optional().describe("a tool's state; absent on reasoning"),
  label: z.string().describe("what it did, in one line; may be empty"),
  created: moment.optional(),
});

export const PartsDocument = document("parts", {
  sessionID: z.string(),
  messages: z
    .array(
      z.strictObject({
        messageID: z.string(),
        created: moment,
        completed: moment.optional(),
        storedBytes: bytes,
        unprunable: unprunable.optional(),
        kept: z.strictObject({ parts: count, bytes }).describe("parts that pruning never touches"),
        parts: z.array(technicalPart),
      }),
    )
    .describe("assistant messages, oldest first"),
  technical: z.strictObject(partCounts),
});

export const MessageDocument = document("message", {
  sessionID: z.string(),
  messageID: z.string(),
  type: z.string(),
  created: moment,
  completed: moment.optional(),
  revision: z.string().optional().describe("of an assistant message's content"),
  parts: z.array(
    z.strictObject({
      index: count,
      type: z.string(),
      bytes,
      content: z.record(z.string(), z.unknown()).describe("the part as OpenCode stores it"),
    }),
  ),
});

export const SearchDocument = document("search", {
  query: z.string(),
  hits: z.array(
    z.strictObject({
      sessionID: z.string(),
      messageID: z.string(),
      role: z.string().describe("the message's type"),
      partIndex: count,
      part: z.enum(["text", "tool", "reasoning"]),
      excerpt: z.string(),
    }),
  ),
  scanned: count.describe("messages looked into"),
  skipped: count.describe("messages that could not be looked into"),
  complete: z
    .boolean()
    .describe("false when it ended at the limit, was interrupted, or had to skip messages"),
});

const grouped = { parts: count, bytes };

export const StatsDocument = document("stats", {
  sessions: count,
  messages: count.describe("assistant messages"),
  storedBytes: bytes.describe("of assistant messages"),
  technical: z.strictObject(grouped),
  byProject: z.array(
    z.strictObject({ projectID: z.string(), directory: z.string(), sessions: count, ...grouped }),
  ),
  byTool: z.array(
    z.strictObject({
      type: z.enum(["tool", "reasoning"]),
      tool: z.string().optional().describe("absent on reasoning"),
      ...grouped,
    }),
  ),
  byMonth: z.array(z.strictObject({ month: z.string().describe("such as 2026-11, in UTC"), ...grouped })),
  prunable: z
    .strictObject({ sessions: count, ...partCounts })
    .describe("what a prune with these filters frees"),
  busy: z.strictObject({ sessions: count, ...partCounts }).describe("of sessions that are in use now"),
  problems: z.array(z.strictObject({ sessionID: z.string(), problem: z.string() })),
});
