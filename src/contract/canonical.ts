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
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalArray(value);
  return canonicalObject(value as { readonly [key: string]: Json | undefined });
}

function canonicalArray(items: readonly (Json | undefined)[]): string {
  let text = "";
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ",";
    text += canonicalJson(items[at] ?? null);
  }
  return `[${text}]`;
}

function canonicalObject(members: { readonly [key: string]: Json | undefined }): string {
  let text = "";
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    if (text !== "") text += ",";
    text += `${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
