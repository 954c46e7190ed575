import { MAX_ID_LENGTH } from "../contract/index.ts";

/** The id as it is, or an error: what is not an id never reaches a statement, where it might become NULL. */
export function checkedID(id: unknown, of: "session" | "message"): string {
  if (typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH && isStorable(id)) return id;
  throw new TypeError(
    `${JSON.stringify(id) ?? String(id)} is not the id of a ${of}; an id is text of 1 to ${MAX_ID_LENGTH} characters.`,
  );
}

/** SQLite ends a text at NUL in places, and UTF-8 has no lone surrogates: such ids would not come back the same. */
function isStorable(id: string): boolean {
  return !id.includes("\0") && !/\p{Surrogate}/u.test(id);
}
