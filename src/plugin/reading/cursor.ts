import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { ReadingRefusal } from "../../contract/index.ts";

/**
 * Cursors carry where a scan stands, sealed with a key that lives as long as the plugin in the daemon. What a
 * caller sends back is believed only if this plugin wrote it, for the same request and the same database file.
 */
export interface CursorKey {
  readonly name: string;
  readonly secret: string;
}

export function newCursorKey(): CursorKey {
  return { name: randomBytes(6).toString("base64url"), secret: randomBytes(32).toString("base64url") };
}

export interface CursorScope {
  /** Everything of the request that a position makes sense for, in one text. */
  readonly request: string;
  /** The database file, by device and inode. */
  readonly file: string;
}

export type CursorRefusal = Extract<ReadingRefusal, `cursor_${string}`>;
export type OpenedCursor = { readonly position: unknown } | { readonly refused: CursorRefusal };

const Sealed = z.strictObject({
  key: z.string(),
  request: z.string(),
  file: z.string(),
  position: z.unknown(),
});

export function sealCursor(key: CursorKey, scope: CursorScope, position: unknown): string {
  const body = Buffer.from(
    JSON.stringify({ key: key.name, request: digest(scope.request), file: scope.file, position }),
  ).toString("base64url");
  return `${body}.${seal(key, body)}`;
}

export function openCursor(key: CursorKey, scope: CursorScope, cursor: string): OpenedCursor {
  const [body = "", mark = "", ...more] = cursor.split(".");
  const sealed = Sealed.safeParse(parsed(body));
  if (!sealed.success || more.length > 0) return { refused: "cursor_forged" };
  if (sealed.data.key !== key.name) return { refused: "cursor_stale" };
  if (!sameText(mark, seal(key, body))) return { refused: "cursor_forged" };
  if (sealed.data.file !== scope.file) return { refused: "cursor_stale" };
  if (sealed.data.request !== digest(scope.request)) return { refused: "cursor_foreign" };
  return { position: sealed.data.position };
}

function seal(key: CursorKey, body: string): string {
  return createHmac("sha256", key.secret).update(body).digest().subarray(0, 16).toString("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function sameText(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
