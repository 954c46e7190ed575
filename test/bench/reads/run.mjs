// `npm run bench:reads -- [scale] [part…]`: bundles the benchmark and runs it on the real runtime. It needs some 10 GB in the
// temporary folder; a scale of 0.1 needs a tenth of it, and says less. Parts: outline, scaling, batch, responsiveness,
// usage; all unless some are named.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
process.env.OPENCODE_BIN ??= join(
  root,
  "test/runtime/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode",
);
// Three folders below the root, as the sources of the tests are, so that the bundle finds what they find.
const folder = mkdtempSync(join(root, "test/bench/.bundle-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: {
      reads: "test/bench/reads/reads.bench.ts",
      "ping-worker": "test/bench/reads/ping-worker.ts",
    },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const { benchmark } = await import(join(folder, "reads.js"));
  await benchmark(Number(process.argv[2] ?? 1), process.argv.slice(3));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
