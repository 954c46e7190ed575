import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "../../../src/contract/index.ts";

/** A stored message with the given parts, each written as JSON text, exactly as it shall lie in the row. */
export function stored(parts: readonly string[], rest = `"finish":"stop"`): string {
  return `{"time":{"created":1,"completed":2},"agent":"build","content":[${parts.join(",")}],${rest}}`;
}

export const TEXT = `{"type":"text","text":"kept"}`;
export const REASONING = `{"type":"reasoning","text":"thought","time":{"created":1}}`;
export const TOOL = `{"type":"tool","id":"call_1","name":"read","state":{"status":"completed","input":{},"content":[{"type":"text","text":"output"}]},"time":{"created":1}}`;

/** The revision of a stored message, told from its text alone and by another way than the plugin's. */
export function revisionOfStored(data: string): string {
  const { content } = JSON.parse(data) as { content: Json };
  return createHash("sha256").update(canonicalJson(content)).digest("hex");
}
