// Builds dist/cli.js (one bundled executable) and dist/plugin/ (what OpenCode loads as it is).

import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { REQUIRE, withoutBallast } from "./bundling.mjs";
import { licensesOf } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(await readFile(`${root}/package.json`, "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  define: { "process.env.NODE_ENV": '"production"', __VERSION__: JSON.stringify(manifest.version) },
};

await rm(`${root}/dist`, { recursive: true, force: true });
await mkdir(`${root}/dist/plugin`, { recursive: true });

const program = await build({
  ...shared,
  entryPoints: ["src/cli.ts"],
  outfile: "dist/cli.js",
  platform: "node",
  target: "node20.19",
  external: ["better-sqlite3"],
  plugins: [withoutBallast],
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
});
await chmod(`${root}/dist/cli.js`, 0o755);

const entries = ["index", "tui", "worker"].filter((name) => existsSync(`${root}/src/plugin/${name}.ts`));
const plugin = await build({
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
await writeFile(`${root}/dist/licenses.txt`, await licensesOf(root, [program.metafile, plugin.metafile]));
