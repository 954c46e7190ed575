import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where the cache lies: `opencode-prune` below `$XDG_CACHE_HOME`, or else below the platform's place for such
 * files.
 */
export function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const named = environment.XDG_CACHE_HOME;
  if (named && isAbsolute(named)) return join(named, "opencode-prune");
  if (platform === "darwin") return join(home, "Library", "Caches", "opencode-prune");
  if (platform === "win32") {
    return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "opencode-prune", "Cache");
  }
  return join(home, ".cache", "opencode-prune");
}
