import * as z from "zod";

/** What is documented and kept: a member is only ever added under the same number. */
export const DOCUMENT_VERSION = 1;

/** The shape of one command's `--json` output: strict, so that nothing undocumented slips out. */
export function document<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ version: z.literal(DOCUMENT_VERSION), kind: z.literal(kind), ...shape });
}

export const count = z.number().int().min(0);
export const bytes = count.describe("UTF-8 bytes of stored JSON");
export const moment = z.number().describe("milliseconds since the epoch");
export const sentence = z.string().describe("for people; may change");

export const partCounts = { messages: count, parts: count, bytes };
