import type { Key } from "ink";

/** The keys in what the terminal sent, in order. Several keys arrive at once when the user types fast. */
export function keyNames(input: string, key: Key): readonly string[] {
  const named = NAMED.find(([member]) => key[member]);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return [`ctrl-${input}`];
  if (key.meta || UNKNOWN_SEQUENCE.test(input)) return [];
  return [...input].map(nameOfCharacter).filter((name) => name !== undefined);
}

/** A report or a key that Ink does not know, without its escape character: none of its letters was typed. */
const UNKNOWN_SEQUENCE = /^[[O][ -~]+$/;

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
  ["tab", "tab"],
] as const satisfies readonly (readonly [keyof Key, string])[];

const CHARACTERS: Readonly<Record<string, string>> = {
  " ": "space",
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1b": "escape",
};

function nameOfCharacter(character: string): string | undefined {
  const named = CHARACTERS[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  if (code < 0x20) return `ctrl-${String.fromCharCode(code + 0x60)}`;
  return character;
}
