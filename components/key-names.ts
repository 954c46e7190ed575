/**
 * The keys in what the terminal sent, in order: a run of text, or one whole escape sequence. Several keys arrive at
 * once when the user types fast. A sequence that is not known here is no key, and none of its letters was typed.
 */
export function keyNames(sent: string): readonly string[] {
  if (!sent.startsWith(ESCAPE)) return [...sent].map(nameOfCharacter);
  if (/^\x1b+$/.test(sent)) return ["escape"];
  const [, letter, number] = KEY.exec(sent) ?? [];
  const name = letter === undefined ? BY_NUMBER[number ?? ""] : BY_LETTER[letter];
  return name === undefined ? [] : [name];
}

const ESCAPE = "\x1b";

/** `ESC [ A`, `ESC O A` and `ESC [ 1 ; 5 A`; `ESC [ 5 ~` and `ESC [ 5 ; 2 ~`. The second number is for Ctrl and the like. */
const KEY = /^\x1b(?:(?:O|\[(?:1;\d+)?)([A-Z])|\[(\d+)(?:;\d+)?~)$/;

const BY_LETTER: Readonly<Record<string, string>> = { A: "up", B: "down", F: "end", H: "home", Z: "tab" };
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: "home",
  3: "backspace",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};

const CHARACTERS: Readonly<Record<string, string>> = {
  " ": "space",
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  [ESCAPE]: "escape",
};

function nameOfCharacter(character: string): string {
  const named = CHARACTERS[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  return code < 0x20 ? `ctrl-${String.fromCharCode(code + 0x60)}` : character;
}
