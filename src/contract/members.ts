import * as z from "zod";
import { MAX_CURSOR_LENGTH, MAX_ID_LENGTH, MAX_PART_INDEX, MAX_PARTS } from "./limits.ts";

/*
 * Members that several requests have. A refusal by the daemon shows the words of an issue without its path, so the
 * words name the member.
 */

export const idOf = (member: string) => {
  const rule = `${member} must be 1 to ${MAX_ID_LENGTH} characters`;
  return z.string(rule).min(1, rule).max(MAX_ID_LENGTH, rule);
};
export const sessionID = idOf("sessionID");
export const messageID = idOf("messageID");

const REVISION_RULE = "revision must be 64 lower-case hex digits";
export const revision = z.string(REVISION_RULE).regex(/^[0-9a-f]{64}$/, REVISION_RULE);

const INDEX_RULE = `each of indexes must be a whole number from 0 to ${MAX_PART_INDEX}`;
export const index = z.number(INDEX_RULE).int(INDEX_RULE).min(0, INDEX_RULE).max(MAX_PART_INDEX, INDEX_RULE);
const INDEXES_RULE = `indexes must be 1 to ${MAX_PARTS} unique numbers`;
export const indexes = z
  .array(index, INDEXES_RULE)
  .min(1, INDEXES_RULE)
  .max(MAX_PARTS, INDEXES_RULE)
  .refine((numbers) => new Set(numbers).size === numbers.length, INDEXES_RULE);

export const count = z.number().int().min(0);
export const countOf = (member: string) => {
  const rule = `${member} must be a whole number, 0 or more`;
  return z.number(rule).int(rule).min(0, rule);
};

const CURSOR_RULE = `cursor must be 1 to ${MAX_CURSOR_LENGTH} characters, as a page gave it`;
export const cursor = z.string(CURSOR_RULE).min(1, CURSOR_RULE).max(MAX_CURSOR_LENGTH, CURSOR_RULE);
