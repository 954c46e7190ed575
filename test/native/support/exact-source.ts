import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import type { HistorySource } from "../../../src/sync/index.ts";

/**
 * A source with fingerprints that tell every change of a session, prunes included, read from the daemon's
 * database beside it. It also notes which sessions were read whole.
 */
export function exactSource(
  native: HistorySource,
  databasePath: string,
): HistorySource & { readonly outlines: string[] } {
  const outlines: string[] = [];
  const fingerprints = (sessionIDs: readonly string[]): ReadonlyMap<string, string> => {
    const database = new Database(databasePath, { readonly: true });
    try {
      const rows = database.prepare<[string], object>(
        "SELECT id, seq, octet_length(data) AS bytes, time_updated FROM session_message WHERE session_id = ? ORDER BY seq",
      );
      return new Map(
        sessionIDs.map((sessionID) => [
          sessionID,
          createHash("sha256")
            .update(JSON.stringify(rows.all(sessionID)))
            .digest("hex"),
        ]),
      );
    } finally {
      database.close();
    }
  };
  return {
    ...native,
    fingerprintKind: "exact",
    outlines,
    fingerprints: async (sessions) => fingerprints(sessions.map(({ sessionID }) => sessionID)),
    outline: async (sessionID, signal) => {
      outlines.push(sessionID);
      const fingerprint = fingerprints([sessionID]).get(sessionID);
      const reading = await native.outline(sessionID, signal);
      return reading && { ...reading, ...(fingerprint === undefined ? {} : { fingerprint }) };
    },
  };
}
