import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where the program keeps what is neither the user's data nor a cache: `$XDG_STATE_HOME/opencode-prune`, by default
 * below `~/.local/state`. Made for this user alone. Throws when it cannot be made.
 */
export function stateFolder(environment: NodeJS.ProcessEnv): string {
  const folder = stateFolderPath(environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The same, without making it. */
export function stateFolderPath(environment: NodeJS.ProcessEnv): string {
  const home = environment.HOME || homedir();
  return join(environment.XDG_STATE_HOME || join(home, ".local", "state"), "opencode-prune");
}
