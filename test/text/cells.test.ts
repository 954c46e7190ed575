import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cellsOfCharacter } from "../../src/text/index.ts";

describe("the cells of a character", () => {
  it("are what string-width says, for every character of the planes in use", () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0x1_ffff; code += code < 0x3000 ? 1 : 17) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (cellsOfCharacter(character) !== stringWidth(character)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});
