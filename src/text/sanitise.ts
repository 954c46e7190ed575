/** Stands for whatever has no harmless look of its own. */
export const REPLACEMENT = "\uFFFD";
const ESCAPE_PICTURE = "\u241B";
const DOTTED_CIRCLE = "\u25CC";
/** Combining marks that one character may carry; the rest of a longer pile is replaced. */
const MAX_MARKS = 4;

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Escape sequences that end by themselves: CSI in its 7-bit and 8-bit form, and the short ones. Sequences that
 * carry a text (OSC, DCS, APC, PM, SOS) only lose their control characters, so that the text stays in sight.
 */
const SEQUENCE = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]+[0-~]|\u001B[0-OQ-WYZ\\`-~]/g;

/** Looks only; without them the base character takes the same number of cells in every terminal. */
const EMOJI_LOOKS = /(?<=\p{Emoji})[\uFE0E\uFE0F]|(?<=\p{Emoji_Modifier_Base}\uFE0F?)[\u{1F3FB}-\u{1F3FF}]/gu;
const REGIONAL_INDICATOR = /[\u{1F1E6}-\u{1F1FF}]/gu;

/** Controls, formats (bidirectional ones among them), the invisible, the private, the unassigned, lone halves. */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11FF\uD7B0-\uD7FF]/gu;
const MARK_WITHOUT_BASE = /^\p{Mn}/u;
const PILE_OF_MARKS = new RegExp(`(\\p{Mn}{${MAX_MARKS}})\\p{Mn}+`, "gu");

/**
 * The one gate between foreign text and the terminal. Returns text of one line in which every character is
 * printable and takes a number of cells that terminals agree on; whatever a terminal could act on is replaced by
 * something visible. Line breaks and tabs are control characters here: split into lines first.
 */
export function sanitise(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = text
    .normalize("NFC")
    .replace(SEQUENCE, ESCAPE_PICTURE)
    .replace(EMOJI_LOOKS, "")
    .replace(REGIONAL_INDICATOR, letterOfFlag)
    .replace(UNSAFE, pictureOf)
    .replace(PILE_OF_MARKS, `$1${REPLACEMENT}`);
  return MARK_WITHOUT_BASE.test(visible) ? DOTTED_CIRCLE + visible : visible;
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return REPLACEMENT;
}

function letterOfFlag(character: string): string {
  return String.fromCharCode(0x41 + (character.codePointAt(0) ?? 0) - 0x1f1e6);
}
