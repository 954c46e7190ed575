// `npm run runtime`: installs the real OpenCode into test/runtime when there is no other and it is missing.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const VERSION = "2.0.15";
const folder = fileURLToPath(new URL("../test/runtime", import.meta.url));
const binary = `${folder}/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode`;
// npm writes this file last, so that an install which was cut off is done again.
const complete = `${folder}/node_modules/.package-lock.json`;

const say = (text) => process.stdout.write(`runtime: ${text}\n`);

if (process.env.OPENCODE_BIN) say("OPENCODE_BIN is set, nothing to install");
else if (existsSync(binary) && existsSync(complete)) say(`OpenCode ${VERSION} is here`);
else {
  const found = await onPath();
  if (found) say(`${found} is on the PATH, nothing to install`);
  else if (process.platform === "linux" && process.arch === "x64") install();
  else
    say(
      `npm has no OpenCode 2 for ${process.platform} ${process.arch}; set OPENCODE_BIN or put opencode 2.x on the PATH`,
    );
}

function install() {
  say(`installing OpenCode ${VERSION} (200 MB) into test/runtime`);
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--silent"], { cwd: folder, stdio: "inherit" });
  } catch {
    process.stderr.write(
      `runtime: npm could not install OpenCode ${VERSION} into test/runtime; check that the npm registry can be reached, or set OPENCODE_BIN.\n`,
    );
    process.exitCode = 1;
  }
}

/** The program's own search, compiled on the way since this Node runs no TypeScript. */
async function onPath() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/demo/runtime.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  const { findRuntime } = await import(`data:text/javascript;base64,${source}`);
  const found = await findRuntime(process.env, () => "");
  return found.binary;
}
