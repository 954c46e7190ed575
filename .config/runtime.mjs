// `npm run runtime`: installs the real OpenCode into test/runtime when it is missing; instant when it is there.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../test/runtime", import.meta.url));
const binary = `${folder}/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode`;

if (process.env.OPENCODE_BIN) {
  process.stdout.write("runtime: OPENCODE_BIN is set, nothing to install\n");
} else if (existsSync(binary)) {
  process.stdout.write("runtime: OpenCode 2.0.15 is here\n");
} else if (process.platform !== "linux" || process.arch !== "x64") {
  process.stdout.write(
    `runtime: npm has no OpenCode 2 for ${process.platform} ${process.arch}; set OPENCODE_BIN or put opencode 2.x on the PATH\n`,
  );
} else {
  process.stdout.write("runtime: installing OpenCode 2.0.15 (200 MB) into test/runtime\n");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--silent"], { cwd: folder, stdio: "inherit" });
}
