import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Writes a report that nobody else may read below the state folder, and returns its path. */
export function writeCrashReport(environment: NodeJS.ProcessEnv, report: string): string {
  const home = environment.HOME || homedir();
  const folder = join(environment.XDG_STATE_HOME || join(home, ".local", "state"), "opencode-prune");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `crash-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.log`);
  writeFileSync(path, report, { mode: 0o600 });
  return path;
}
