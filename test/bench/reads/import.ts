import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";

/**
 * Imports a session in one call. Writing out 100 MB takes longer than the daemon keeps an idle connection, so the
 * one that is taken from the pool may be closed already: then once more, on a fresh one.
 */
export async function importLarge(
  bench: PruningDaemon,
  sessionID: string,
  messages: readonly unknown[],
): Promise<void> {
  try {
    await bench.importSession(sessionID, messages);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await bench.importSession(sessionID, messages);
  }
}
