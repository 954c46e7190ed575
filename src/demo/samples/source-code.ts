import type { Random } from "./random.ts";

/** The words that a project's code is made of. */
export interface Vocabulary {
  readonly things: readonly string[];
  readonly verbs: readonly string[];
  readonly fields: readonly string[];
}

/** Source text of about `lines` lines in a project's words. It reads like code and does nothing. */
export type Writer = (words: Vocabulary, lines: number, random: Random) => string;

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const typescript: Writer = (words, lines, random) =>
  fill(lines, [`import { connect } from "../storage/connection";`, ""], () => {
    const thing = random.pick(words.things);
    const verb = random.pick(words.verbs);
    const [first, second] = [random.pick(words.fields), random.pick(words.fields)];
    return random.pick([
      [
        `export interface ${capital(thing)}${capital(verb)}Options {`,
        `  readonly ${first}: string;`,
        `  readonly ${second}Limit?: number;`,
        "}",
        "",
      ],
      [
        `export async function ${verb}${capital(thing)}(id: string, options: Options): Promise<${capital(thing)}> {`,
        `  const ${thing} = await connect().${thing}s.find({ id, ${first}: options.${first} });`,
        `  if (!${thing}) throw new NotFound("${thing}", id);`,
        `  if (${thing}.${second} > options.limit) {`,
        `    log.warn("${thing} over its limit", { id, ${second}: ${thing}.${second} });`,
        `    return ${thing};`,
        "  }",
        `  return { ...${thing}, ${first}: normalise(${thing}.${first}), seen: ${random.between(2, 900)} };`,
        "}",
        "",
      ],
      [
        `const ${verb}Table = new Map<string, ${capital(thing)}>([`,
        `  ["${random.hex(6)}", { ${first}: "${random.hex(4)}", ${second}: ${random.between(1, 400)} }],`,
        `  ["${random.hex(6)}", { ${first}: "${random.hex(4)}", ${second}: ${random.between(1, 400)} }],`,
        "]);",
        "",
      ],
    ]);
  });

export const rust: Writer = (words, lines, random) =>
  fill(lines, ["use std::collections::BTreeMap;", "use crate::error::{Error, Result};", ""], () => {
    const thing = random.pick(words.things);
    const verb = random.pick(words.verbs);
    const [first, second] = [random.pick(words.fields), random.pick(words.fields)];
    return random.pick([
      [
        "#[derive(Debug, Clone, PartialEq)]",
        `pub struct ${capital(thing)}${capital(verb)} {`,
        `    pub ${first}: i64,`,
        `    pub ${second}_by_station: BTreeMap<String, u32>,`,
        "}",
        "",
      ],
      [
        `impl ${capital(thing)} {`,
        `    pub fn ${verb}_${first}(&mut self, sample: &Sample) -> Result<u32> {`,
        `        let ${second} = sample.${second}.checked_mul(${random.between(3, 90)}).ok_or(Error::Overflow)?;`,
        `        if ${second} < self.floor {`,
        `            tracing::debug!(${second}, "below the floor");`,
        "            return Ok(0);",
        "        }",
        `        self.${first}.push_back(${second});`,
        `        Ok(self.${first}.len() as u32)`,
        "    }",
        "}",
        "",
      ],
      [
        "#[test]",
        `fn ${verb}s_the_${thing}_at_${random.between(10, 999)}() {`,
        `    let ${thing} = ${capital(thing)}::with_${first}(${random.between(1, 99)});`,
        `    assert_eq!(${thing}.${second}(), ${random.between(1, 9999)});`,
        "}",
        "",
      ],
    ]);
  });

export const component: Writer = (words, lines, random) =>
  fill(lines, [`import { useState } from "react";`, `import { t } from "../i18n";`, ""], () => {
    const thing = random.pick(words.things);
    const verb = random.pick(words.verbs);
    const field = random.pick(words.fields);
    return [
      `export function ${capital(verb)}${capital(thing)}({ ${field}, onChange }: Props) {`,
      `  const [open, setOpen] = useState(${random.pick(["true", "false"])});`,
      "  return (",
      `    <section className="${thing}-${verb}" aria-label={t("${thing}.${verb}.${field}")}>`,
      `      <button type="button" onClick={() => setOpen(!open)}>{t("${thing}.${verb}")}</button>`,
      `      {open ? <${capital(thing)}List ${field}={${field}} limit={${random.between(5, 60)}} /> : null}`,
      "    </section>",
      "  );",
      "}",
      "",
    ];
  });

function fill(lines: number, head: readonly string[], block: () => readonly string[]): string {
  const written = [...head];
  while (written.length < lines) written.push(...block());
  return written.join("\n");
}

/** What a search prints: the count, then per file the matching lines. */
export function matches(
  paths: readonly string[],
  line: (path: string) => string,
  count: number,
  random: Random,
): string {
  const perFile = Math.max(1, Math.ceil(count / paths.length));
  const written = [`Found ${count} matches`];
  let left = count;
  for (const path of paths) {
    if (left <= 0) break;
    written.push(`${path}:`);
    let at = random.between(3, 30);
    for (let index = 0; index < Math.min(perFile, left); index++) {
      written.push(`  Line ${at}: ${line(path)}`);
      at += random.between(2, 60);
    }
    left -= perFile;
    written.push("");
  }
  return written.join("\n");
}
