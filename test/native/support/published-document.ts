import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import type { DocumentBody, DocumentName } from "../../../src/commands/documents/index.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../../docs/schemas");

/** What a command printed, once it has proved to be one JSON document as docs/schemas describes it. */
export function publishedDocument<Name extends DocumentName>(name: Name, stdout: string): DocumentBody<Name> {
  const schema = JSON.parse(readFileSync(`${SCHEMAS}/${name}.json`, "utf8"));
  return z.fromJSONSchema(schema).parse(JSON.parse(stdout)) as DocumentBody<Name>;
}
