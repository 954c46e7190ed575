import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where the cleanup jobs lie: `opencode-prune` below `$XDG_STATE_HOME`, or else below the platform's place for such
 * files. Not with the cache, which anybody may delete.
 */
export function jobsFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const named = environment.XDG_STATE_HOME;
  if (named && isAbsolute(named)) return join(named, "opencode-prune");
  if (platform === "win32") {
    return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "opencode-prune", "State");
  }
  return join(home, ".local", "state", "opencode-prune");
}
