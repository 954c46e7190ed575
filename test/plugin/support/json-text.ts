import fc from "fast-check";

/** JSON texts as they may lie in a row, in spellings that JSON.stringify would never write. */

const numberText = fc.constantFrom(
  "0",
  "-0",
  "1.0",
  "-0.0",
  "1E3",
  "1e+5",
  "2.50e-7",
  "12345678901234567890",
  "-98765432109876543210.5",
  "1e400",
  "0.1000",
);

const stringPiece = fc.constantFrom(
  "a",
  "Z",
  " ",
  "é",
  "漢",
  "😀",
  "\u2028",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\\\",
  '\\"',
  "\\/",
  "\\n",
  "\\t",
  "\\b",
  "\\u0000",
  "\\u0041",
  "\\u00e9",
  "\\u00E9",
  "\\ud83d\\ude00",
  "\\ud800",
  "\\uDFFF",
  "\\u2028",
);

export const stringText = fc.array(stringPiece, { maxLength: 8 }).map((pieces) => `"${pieces.join("")}"`);

const keyText = fc.oneof(
  stringText,
  fc.constantFrom('"a"', '"b"', '"content"', '"type"', '"2"', '"10"', '"__proto__"'),
);

export const valueText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    numberText,
    stringText,
    fc.constantFrom("true", "false", "null", "{}", "[]"),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(keyText, tie("value")), { maxLength: 3 })
      .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`),
  ),
})).value;

/** Members that say nothing to anybody, with keys that may be written twice. */
const idleMembers = fc
  .array(fc.tuple(fc.constantFrom('"x"', '"y"', '"\\u0078"', '"10"', '"9"', '"__proto__"'), valueText), {
    maxLength: 3,
  })
  .map((members) => members.map(([key, value]) => `${key}:${value}`));

/** An object of the given members among idle ones, in any order. */
function objectText(members: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(members, idleMembers)
    .chain(([own, idle]) => fc.shuffledSubarray([...own, ...idle], { minLength: own.length + idle.length }))
    .map((all) => `{${all.join(",")}}`);
}

export const textPart = objectText(stringText.map((text) => ['"type":"text"', `"text":${text}`]));

export const reasoningPart = objectText(
  fc
    .tuple(stringText, valueText)
    .map(([text, state]) => ['"type":"reasoning"', `"text":${text}`, `"state":${state}`]),
);

export const toolPart = objectText(
  fc
    .tuple(fc.constantFrom("completed", "error"), valueText, stringText)
    .map(([status, input, id]) => [
      '"type":"tool"',
      `"id":${id}`,
      `"state":{"status":"${status}","input":${input}}`,
    ]),
);

export const partText = fc.oneof(textPart, reasoningPart, toolPart);

/** What a message holds besides its content: members before and after it. */
export const messageSurroundings = fc.tuple(idleMembers, idleMembers);
