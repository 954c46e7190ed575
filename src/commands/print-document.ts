import type { DocumentBody, DocumentName } from "./documents/index.ts";

const VERSION = 1;

/** Prints a command's `--json` output: one line, which no terminal obeys and any JSON parser reads. */
export function printDocument<Name extends DocumentName>(name: Name, body: DocumentBody<Name>): void {
  process.stdout.write(`${jsonLine({ version: VERSION, kind: name, ...body })}\n`);
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** JSON in which whatever a terminal could act on is written as an escape. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");
}
