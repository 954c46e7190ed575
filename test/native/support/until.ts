import type { HistorySnapshot } from "../../../src/state/ports.ts";
import type { History } from "../../../src/sync/index.ts";

/** Waits until the snapshot is as wanted, for half a minute at most. */
export async function until(
  history: Pick<History, "snapshot" | "onChange">,
  wanted: (snapshot: HistorySnapshot) => boolean,
): Promise<HistorySnapshot> {
  if (wanted(history.snapshot())) return history.snapshot();
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      stop();
      const { connection, sessions } = history.snapshot();
      const seen = JSON.stringify({ connection, sessions: [...sessions.values()] });
      reject(new Error(`Half a minute went by without ${wanted}; last seen: ${seen}`));
    }, 30_000);
    const stop = history.onChange(() => {
      const snapshot = history.snapshot();
      if (!wanted(snapshot)) return;
      clearTimeout(limit);
      stop();
      resolve(snapshot);
    });
  });
}
