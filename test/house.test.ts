import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Which of our folders a folder may import. `types` may be imported for their types alone. */
const MAY_IMPORT: Readonly<Record<string, { values: readonly string[]; types?: readonly string[] }>> = {
  contract: { values: [] },
  database: { values: [] },
  text: { values: [] },
  words: { values: ["text"], types: ["contract", "state"] },
  plugin: { values: ["contract"] },
  opencode: { values: ["contract"], types: ["state"] },
  cache: { values: ["contract", "database"] },
  sync: { values: ["contract", "opencode", "cache"], types: ["state"] },
  pruning: { values: ["contract", "opencode", "cache", "database"], types: ["state"] },
  state: { values: ["contract", "text"] },
  components: { values: ["state", "text", "words", "contract"] },
};

const IMPORT = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)";/gms;

describe("the house", () => {
  it.each(Object.keys(MAY_IMPORT))("%s imports only what it may", (folder) => {
    const { values, types = [] } = MAY_IMPORT[folder] ?? { values: [] };
    const outside = filesOf(folder).flatMap((file) =>
      importsOf(file).flatMap(({ target, typeOnly }) => {
        const known = target === folder || values.includes(target) || (typeOnly && types.includes(target));
        return known ? [] : [`${relative(root, file)} imports ${target}`];
      }),
    );
    expect(outside).toEqual([]);
  });
});

function filesOf(folder: string): string[] {
  const path = join(root, folder === "components" ? folder : join("src", folder));
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(path, name));
}

function importsOf(file: string): { readonly target: string; readonly typeOnly: boolean }[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].flatMap(([statement, typeOnly, path = ""]) => {
    const target = folderOf(file, path);
    if (target === undefined) return [];
    const names = statement.replace(/^(?:import|export)\s*\{/, "").split(/[,}]/);
    const everyNameIsType =
      statement.includes("{") && names.slice(0, -1).every((name) => !name.trim() || /^\s*type\s/.test(name));
    return [{ target, typeOnly: typeOnly !== undefined || everyNameIsType }];
  });
}

/** The folder of ours that an import leads to; undefined for packages. */
function folderOf(file: string, path: string): string | undefined {
  if (path === "#opencode/client") return "opencode";
  if (!path.startsWith(".")) return undefined;
  const [first = "", second = ""] = relative(root, join(dirname(file), path)).split(sep);
  return first === "src" ? second : first;
}
