import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "./canonical.ts";

/**
 * The revision of a message: SHA-256, as 64 lower-case hex digits, of the UTF-8 bytes of the canonical JSON
 * of its `content` array. The plugin computes it from the stored row, a client from the daemon's answer.
 */
export function revisionOf(content: readonly unknown[]): string {
  return revisionOfCanonicalParts(content.map((part) => canonicalJson((part ?? null) as Json)));
}

/** The same revision, where the canonical JSON of each part is at hand already. */
export function revisionOfCanonicalParts(parts: readonly string[]): string {
  const hash = createHash("sha256").update("[");
  for (const [at, part] of parts.entries()) {
    if (at > 0) hash.update(",");
    hash.update(part, "utf8");
  }
  return hash.update("]").digest("hex");
}
