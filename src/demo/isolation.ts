import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** An environment in which OpenCode finds and leaves nothing outside of one folder. */
export interface Isolation {
  readonly environment: NodeJS.ProcessEnv;
  /** `$HOME`. */
  readonly user: string;
  readonly data: string;
  readonly config: string;
}

/** Makes the folders below `home` and the environment that names them. */
export async function isolate(home: string): Promise<Isolation> {
  const folders = {
    HOME: join(home, "home"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
    TMPDIR: join(home, "tmp"),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    environment: { ...withoutUserSettings(process.env), ...folders },
    user: folders.HOME,
    data: folders.XDG_DATA_HOME,
    config: folders.XDG_CONFIG_HOME,
  };
}

function withoutUserSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith("OPENCODE_") && !name.startsWith("XDG_")),
  );
}
