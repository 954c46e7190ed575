// `npm run bench:prune`: bundles the benchmark and runs it on the real runtime.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
// Two folders below the root like a source file, so that the bundle finds packages and runtime.
const folder = mkdtempSync(join(root, "test/.bundle-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: {
      prune: "test/bench/prune/prune.bench.ts",
      "responsiveness-worker": "test/bench/prune/responsiveness-worker.ts",
    },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const { benchmark } = await import(join(folder, "prune.js"));
  await benchmark(root);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
