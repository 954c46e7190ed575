import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export interface DatabasePathSettings {
  /** The plugin's option `databasePath`, when it is set. */
  readonly option: unknown;
  /** The daemon's release channel, as `ctx.app.channel` says. */
  readonly channel: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

const SHARED_CHANNELS = new Set(["latest", "beta", "prod"]);

/**
 * Where the daemon keeps its database: the option, or the daemon's own rules (`OPENCODE_DB`, then a file per
 * channel in the data folder). Answers `undefined` where there is no local file to speak of: an option that
 * is no absolute path, an in-memory database, a Windows network path.
 */
export function databasePath(settings: DatabasePathSettings): string | undefined {
  const path = settings.option === undefined ? daemonsOwnPath(settings) : settings.option;
  if (typeof path !== "string" || !isAbsolute(path)) return undefined;
  if (settings.platform === "win32" && /^[\\/]{2}/.test(path)) return undefined;
  return path;
}

function daemonsOwnPath({ channel, environment }: DatabasePathSettings): string | undefined {
  const folder = join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode");
  const named = environment.OPENCODE_DB;
  if (named === ":memory:") return undefined;
  if (named) return isAbsolute(named) ? named : join(folder, named);
  const shared =
    channel === undefined ||
    SHARED_CHANNELS.has(channel) ||
    environment.OPENCODE_DISABLE_CHANNEL_DB === "1" ||
    environment.OPENCODE_DISABLE_CHANNEL_DB === "true";
  return join(folder, shared ? "opencode.db" : `opencode-${channel.replace(/[^a-zA-Z0-9._-]/g, "-")}.db`);
}
