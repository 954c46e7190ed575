// The licences of what is bundled, which ask to go along with it.

import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** One text with the name, version and licence of every package that the bundles of these metafiles hold. */
export async function licensesOf(root, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map((folder) => licenseOf(resolve(root, folder))));
  return [...new Set(texts)].join(`\n${"-".repeat(80)}\n\n`);
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : await readFile(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
