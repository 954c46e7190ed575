import { execFile } from "node:child_process";
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isolate } from "./isolation.ts";

const run = promisify(execFile);

export type FoundRuntime = { readonly binary: string } | { readonly missing: string };

const ANSWER_LIMIT = 20_000;
const NAME = process.platform === "win32" ? "opencode.exe" : "opencode";

/**
 * Finds a real OpenCode 2.x: `OPENCODE_BIN`, then `opencode` on the PATH, then the one that `npm run runtime`
 * installs below `test/runtime`. Answers one sentence that says what was missing when there is none.
 */
export async function findRuntime(
  environment: NodeJS.ProcessEnv = process.env,
  installed: () => string = installedRuntime,
): Promise<FoundRuntime> {
  const named = environment.OPENCODE_BIN;
  if (named) {
    if (await isOpenCode2(named)) return { binary: named };
    return {
      missing: `OPENCODE_BIN names ${named}, which is not an OpenCode 2 executable; correct or unset it.`,
    };
  }
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const candidate of [...folders.map((folder) => join(folder, NAME)), installed()])
    if (await isOpenCode2(candidate)) return { binary: candidate };
  return {
    missing: `No OpenCode 2 runtime for ${process.platform} ${process.arch} was found; run \`npm run runtime\`, put an opencode 2.x on the PATH, or set OPENCODE_BIN.`,
  };
}

function installedRuntime(): string {
  // Both src/demo/ and dist/ lie inside the project; the runtime is below its test/ folder.
  const here = dirname(fileURLToPath(import.meta.url));
  const root = here.endsWith("dist") ? dirname(here) : dirname(dirname(here));
  return join(root, "test/runtime/node_modules/@opencode/cli-linux-x64-baseline/bin/opencode");
}

/** Asks for the version in a home of its own: even that leaves folders and libraries behind. */
async function isOpenCode2(binary: string): Promise<boolean> {
  try {
    await access(binary, constants.X_OK);
  } catch {
    return false;
  }
  const home = await mkdtemp(join(tmpdir(), "opencode-prune-version-"));
  try {
    const { environment } = await isolate(home);
    const { stdout } = await run(binary, ["--version"], { timeout: ANSWER_LIMIT, env: environment });
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0].startsWith("2.") ?? false;
  } catch {
    return false;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
