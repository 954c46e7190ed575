// `npm run bench:cache`: bundles the cache's benchmarks as the executable is bundled, and runs them one by one.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { REQUIRE, withoutBallast } from "../../../.config/bundling.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = `${root}/test/bench/cache`;
// Three folders below the root, as these sources are, so that what they look for beside them is found.
const folder = await mkdtemp(`${root}/test/bench/.built-`);
process.env.OPENCODE_BIN ??= `${root}/test/runtime/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode`;

/** Bundled as .config/build.mjs bundles the executable. */
const bundle = (entryPoints, minify) =>
  build({
    absWorkingDir: root,
    entryPoints: entryPoints.map((name) => `${here}/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify,
    legalComments: "none",
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: ["better-sqlite3", "@lydell/node-pty", "vitest", "esbuild"],
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutBallast],
    banner: { js: REQUIRE },
  });

try {
  await bundle(["hello-world.tsx"], true);
  await bundle(["reconcile.ts", "first-frame.ts", "event-rate.ts", "event-server.ts"], false);
  const chosen = process.argv.slice(2);
  let failed = false;
  for (const name of ["reconcile", "first-frame", "event-rate"]) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const { status } = spawnSync(process.execPath, [`${folder}/${name}.mjs`], { stdio: "inherit" });
    failed ||= status !== 0;
  }
  process.exitCode = failed ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
