// `node .config/capture.mjs`: draws the pictures of the README, docs/*.svg, from the demo in a real terminal.
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = `${root}/dist/capture.mjs`;

// This Node runs no TypeScript. The terminal's own folder is kept, since it finds dist/cli.js from there.
await build({
  absWorkingDir: root,
  entryPoints: ["test/terminal/capture/capture.ts"],
  outfile: compiled,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  define: { "import.meta.dirname": JSON.stringify(`${root}/test/terminal/support`) },
  logLevel: "warning",
});
try {
  const { capture } = await import(compiled);
  await capture(`${root}/docs`);
} finally {
  await rm(compiled, { force: true });
}
