import { join } from "node:path";
import { startThrowawayDaemon, type ThrowawayDaemon } from "./daemon.ts";
import { fixtureConfiguration } from "./fixture-configuration.ts";
import { writeFixturePlugin } from "./fixture-plugin.ts";
import { type ScriptedProvider, startProvider } from "./provider.ts";
import { type Seeded, seed } from "./seed.ts";

/** A throwaway daemon with a scripted model and the sample sessions. */
export interface Demo {
  readonly daemon: ThrowawayDaemon;
  readonly provider: ScriptedProvider;
  readonly seeded: Seeded;
  /** Ends the daemon and the model and removes the folder. May be called more than once. */
  remove(): Promise<void>;
}

/** Starts everything, or leaves nothing behind. `binary` is an OpenCode 2 executable. */
export async function startDemo(binary: string): Promise<Demo> {
  const provider = await startProvider();
  let daemon: ThrowawayDaemon | undefined;
  let removal: Promise<void> | undefined;
  const remove = () => {
    removal ??= (async () => {
      await daemon?.remove();
      await provider.close();
    })();
    return removal;
  };
  try {
    daemon = await startThrowawayDaemon({
      binary,
      config: async (home) =>
        fixtureConfiguration(provider.url, [await writeFixturePlugin(join(home, "fixture"))]),
    });
    return { daemon, provider, seeded: await seed(daemon, provider), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
