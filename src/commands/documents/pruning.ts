import * as z from "zod";
import { bytes, count, document, moment, partCounts, sentence } from "./document.ts";

const sessionCounts = z.strictObject({ sessions: count, ...partCounts });

export const PruneDocument = document("prune", {
  dryRun: z.boolean().describe("true when nothing was asked for"),
  complete: z
    .boolean()
    .describe(
      "everything that was meant is gone, and the exit code is 0; false after a dry run that found refusals",
    ),
  stopped: z.boolean().describe("it was interrupted, or the server was lost"),
  planned: sessionCounts,
  pruned: sessionCounts,
  skippedMessages: count.describe("planned, and not asked for because it stopped"),
  refused: z.array(
    z.strictObject({
      sessionID: z.string(),
      messageID: z.string().optional().describe("absent when it concerns the whole session"),
      parts: count,
      reason: z.enum([
        "unavailable",
        "maintenance_required",
        "conflict",
        "not_deletable",
        "unsupported_storage",
        "ambiguous",
        "vanished",
        "incomplete",
        "folder_unusable",
        "unknown_outcome",
      ]),
      directory: z
        .string()
        .optional()
        .describe("with folder_unusable: the session's folder, in which OpenCode cannot work"),
    }),
  ),
  leftAlone: z
    .array(
      z.strictObject({
        reason: z.enum(["incomplete", "unsettled_tool", "unknown_part", "too_large", "malformed"]),
        ...partCounts,
      }),
    )
    .describe("matching parts of messages that cannot be pruned now"),
  sessions: z.array(
    z.strictObject({
      sessionID: z.string(),
      planned: z.strictObject(partCounts),
      pruned: z.strictObject(partCounts),
    }),
  ),
  problems: z.array(z.strictObject({ sessionID: z.string(), problem: sentence })),
});

const event = <Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, shape: Shape) =>
  document("event", { event: z.literal(name), at: moment, ...shape });

/** One line of `watch`. */
export const EventDocument = z.discriminatedUnion("event", [
  event("connected", { sessions: count }),
  event("pruned", {
    sessionID: z.string(),
    messageID: z.string(),
    revision: z.string().describe("the message's revision after the prune"),
    title: z.string(),
  }),
  event("lost", { problem: sentence }),
  event("reconciled", {
    lostAt: moment.describe("what happened from then on was missed until the connection stood again"),
    backAt: moment,
    sessions: count,
    changed: z.array(z.string()).describe("sessions that are not what they were before the loss"),
    deleted: z.array(z.string()),
    exact: z.boolean().describe("false where the server's plugin cannot tell that a prune was missed"),
  }),
]);

const folderContent = z
  .enum(["absent", "same", "other_version", "changed", "foreign"])
  .describe(
    "same: as this program brings it; other_version: as another version brought it; changed: edited by somebody; foreign: not ours",
  );

export const PluginDocument = document("plugin", {
  action: z.enum(["none", "installed", "updated", "removed"]),
  answers: z.boolean().describe("somebody serves the pruning RPC"),
  provider: z.enum(["ours", "published"]).optional(),
  publishedActive: z.boolean().describe("the published plugin is active; ours then stands back"),
  folder: z.string(),
  installed: z.strictObject({
    content: folderContent,
    version: z.string().optional(),
    hash: z.string().optional().describe("SHA-256 of its files"),
  }),
  bundled: z.strictObject({ version: z.string(), hash: z.string() }),
  problem: sentence.optional(),
});

export const DoctorDocument = document("doctor", {
  ok: z.boolean().describe("no check failed"),
  checks: z.array(
    z.strictObject({
      area: z.string(),
      name: z.string(),
      status: z.enum(["ok", "warn", "fail"]),
      detail: sentence,
      todo: sentence.optional(),
    }),
  ),
  database: z
    .strictObject({
      bytes,
      writeAheadLogBytes: count,
      freeBytes: count.describe("free pages: OpenCode uses them again, the file does not shrink"),
      vacuumNeedsBytes: count.describe("free disk space that VACUUM needs at most"),
    })
    .optional(),
});
