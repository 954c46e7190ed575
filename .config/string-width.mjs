// Bundled in place of `string-width`, for our own code and for Ink's. That one compiles an expression with every emoji
// when it is loaded and when it is first used, a tenth of the time to the first frame; most texts can do without.

import { NARROW } from "../src/text/narrow.ts";

const PLAIN = new RegExp(`^[\\x20-\\x7e${NARROW}]*$`);
const COLOURS = /\u001b\[[\d;]*m/g;

export default function stringWidth(text, options) {
  if (typeof text === "string" && options === undefined) {
    const shown = text.includes("\u001b") ? text.replace(COLOURS, "") : text;
    if (PLAIN.test(shown)) return shown.length;
  }
  // Bundled with the rest, and evaluated when it is first asked for.
  return require("string-width").default(text, options);
}
