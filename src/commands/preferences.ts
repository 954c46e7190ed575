import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { PART_SORTS, type PreferencesPort, SESSION_SORTS } from "../state/ports.ts";
import { stateFolder } from "./state-folder.ts";

const Preferences = z.object({
  sessionSort: z.enum(SESSION_SORTS),
  sessionFilter: z.string().max(1_000),
  sessionID: z.string().max(256).exactOptional(),
  partSort: z.enum(PART_SORTS),
});
const Stored = z.object({ version: z.literal(1), servers: z.record(z.string(), z.unknown()) });

/**
 * The last sort, filter and position of each server, in `preferences.json` of the state folder. What cannot be read
 * or written is as if nothing had been remembered.
 */
export function createPreferences(environment: NodeJS.ProcessEnv): PreferencesPort {
  const readAll = (): Record<string, unknown> => {
    try {
      return Stored.parse(JSON.parse(readFileSync(fileIn(environment), "utf8"))).servers;
    } catch {
      return {};
    }
  };
  return {
    load: (server) => Preferences.safeParse(readAll()[server]).data,
    save: (server, preferences) => {
      try {
        write(fileIn(environment), { version: 1, servers: { ...readAll(), [server]: preferences } });
      } catch {
        // Nothing depends on it.
      }
    },
  };
}

function fileIn(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "preferences.json");
}

/** Whole or not at all: another instance of the app may be reading. */
function write(path: string, value: z.infer<typeof Stored>): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify(value), { mode: 0o600 });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
