import { sanitise } from "./sanitise.ts";

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A foreign text as one word of a POSIX shell, quoted where it has to be, and safe to show. */
export function shellWord(raw: string): string {
  const text = sanitise(raw);
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
