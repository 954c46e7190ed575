// Builds dist/cli.js (one bundled executable) and dist/plugin/ (what OpenCode loads as it is).

import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(await readFile(`${root}/package.json`, "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"', __VERSION__: JSON.stringify(manifest.version) },
};

// Ink imports react-devtools-core only when DEV is set; an empty module keeps its 200 ms out of every start.
const withoutDevtools = {
  name: "without-devtools",
  setup(builder) {
    builder.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "devtools", namespace: "empty" }));
    builder.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}" }));
  },
};

await rm(`${root}/dist`, { recursive: true, force: true });
await mkdir(`${root}/dist/plugin`, { recursive: true });

await build({
  ...shared,
  entryPoints: ["src/cli.ts"],
  outfile: "dist/cli.js",
  platform: "node",
  target: "node20.19",
  external: ["better-sqlite3"],
  plugins: [withoutDevtools],
  banner: {
    js: '#!/usr/bin/env node\nimport{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
});
await chmod(`${root}/dist/cli.js`, 0o755);

const entries = ["index", "tui", "worker"].filter((name) => existsSync(`${root}/src/plugin/${name}.ts`));
await build({
  ...shared,
  entryPoints: entries.map((name) => `src/plugin/${name}.ts`),
  outdir: "dist/plugin",
  platform: "node",
  target: "node22",
});
await writeFile(
  `${root}/dist/plugin/package.json`,
  `${JSON.stringify(
    {
      name: "opencode-prune-plugin",
      version: manifest.version,
      license: manifest.license,
      type: "module",
      main: "./index.js",
      exports: {
        ".": "./index.js",
        ...(entries.includes("tui") ? { "./tui": "./tui.js" } : {}),
      },
    },
    null,
    2,
  )}\n`,
);
