import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "./state-folder.ts";

/** Writes a report that nobody else may read below the state folder, and returns its path. */
export function writeCrashReport(environment: NodeJS.ProcessEnv, report: string): string {
  const moment = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const path = join(stateFolder(environment), `crash-${moment}.log`);
  writeFileSync(path, report, { mode: 0o600 });
  return path;
}
