// node test/bench/screen/run.mjs: bundles the screen's benchmarks as the executable is bundled, and runs them.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { REQUIRE, withoutBallast } from "../../../.config/bundling.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "opencode-prune-bench-"));
try {
  await build({
    entryPoints: [`${here}key-to-frame.ts`, `${here}memory.ts`],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutBallast],
    banner: { js: REQUIRE },
  });
  for (const run of [["key-to-frame"], ["memory", "0"], ["memory", "100000"], ["memory", "100000", "all"]]) {
    const [name, ...rest] = run;
    spawnSync(process.execPath, ["--expose-gc", `${folder}/${name}.mjs`, ...rest], { stdio: "inherit" });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
