/** A JSON value as `JSON.parse` returns it. `undefined` members may appear in values built by hand; they are dropped. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * The canonical JSON text of a value: object keys sorted by UTF-16 code unit at every level, `undefined`
 * members dropped, arrays in order, no white space. Two decoders of one document that order keys
 * differently get the same text.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    return `[${value.map((item: Json | undefined) => canonicalJson(item ?? null)).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = value as { readonly [key: string]: Json | undefined };
    const written: string[] = [];
    for (const key of Object.keys(members).sort()) {
      const member = members[key];
      if (member !== undefined) written.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
    }
    return `{${written.join(",")}}`;
  }
  return JSON.stringify(value);
}
