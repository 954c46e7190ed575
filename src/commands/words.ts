import { createQuantities, wordsFor } from "../words/index.ts";

/** Scripts read what the commands print, so that it is English whatever the user's language is. */
export const quantities = createQuantities("en");
export const words = wordsFor("en");

/** `1 message`, `12,345 messages`. */
export function counted(count: number, noun: string): string {
  return `${quantities.count(count)} ${noun}${count === 1 ? "" : "s"}`;
}
