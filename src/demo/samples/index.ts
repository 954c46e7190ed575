import { join } from "node:path";
import { atlasScripts } from "./atlas.ts";
import { harborScripts } from "./harbor.ts";
import { createRandom } from "./random.ts";
import { tidewatchScripts } from "./tidewatch.ts";
import { type ImportedSession, transcribe } from "./transcript.ts";

export { RUNNING } from "./harbor.ts";
export { REVERTED } from "./tidewatch.ts";
export type { ImportedMessage, ImportedSession } from "./transcript.ts";

/** The folders that the samples work in. */
export const PROJECTS = ["harbor-api", "tidewatch", "atlas-site"] as const;

/**
 * The sample sessions, the oldest first: what a few days of work in three projects leave behind. The same
 * `seed` gives the same texts on every machine. `home` is the folder that holds the projects, `now` is in
 * milliseconds since the epoch.
 */
export function sampleSessions(home: string, now: number, seed = "samples"): ImportedSession[] {
  const random = createRandom(seed);
  return [...harborScripts(random), ...tidewatchScripts(random), ...atlasScripts(random)]
    .sort((a, b) => b.minutesAgo - a.minutesAgo)
    .map((script) => transcribe(script, join(home, script.project), now, random));
}
