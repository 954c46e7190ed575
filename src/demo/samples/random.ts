/** A repeatable source of variety: the same seed gives the same samples on every machine. */
export interface Random {
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T;
  /** Lower-case hex digits. */
  hex(length: number): string;
  /** Letters and digits, as in the runtime's ids. */
  letters(length: number): string;
}

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function createRandom(seed: string): Random {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619) >>> 0;
  // A 32-bit counter, scrambled by two rounds of multiply and xor-shift.
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  const between = (low: number, high: number) => low + (next() % (high - low + 1));
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join("");
  return {
    between,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new Error("There is nothing to pick from.");
      return choices[between(0, choices.length - 1)] as T;
    },
    hex: (length) => text("0123456789abcdef", length),
    letters: (length) => text(LETTERS, length),
  };
}
