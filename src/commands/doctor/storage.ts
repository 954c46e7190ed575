import { PREVIEW_METHOD, PRUNING_RPC, PreviewOutput } from "../../contract/index.ts";
import { type OpenCodeClient, OpenCodeError, type Session } from "../../opencode/index.ts";
import { Facts } from "../../plugin/facts.ts";
import {
  EVENT_CHECKS,
  type FenceCheck,
  OWNERSHIP_CHECKS,
  REST_CHECKS,
  STORAGE_CHECKS,
} from "../../plugin/fence.ts";
import { PruningDatabase } from "../../plugin/pruning-database.ts";
import type { SqliteConnection } from "../../plugin/sqlite.ts";
import { words } from "../words.ts";
import { type Area, findingOf } from "./check.ts";

/** The fence's own checks, one by one, in one snapshot of the daemon's database. Without a session: of the storage. */
export function checkFence(area: Area, connection: SqliteConnection, session: Session | undefined): void {
  const database = new PruningDatabase(connection);
  const { directory = "", workspaceID } = (session?.location ?? {}) as {
    directory?: string;
    workspaceID?: string;
  };
  const location = {
    directory,
    project: { id: session?.projectID ?? "" },
    ...(workspaceID === undefined ? {} : { workspaceID }),
  };
  const checks: readonly FenceCheck[] = session
    ? [...STORAGE_CHECKS, ...OWNERSHIP_CHECKS, ...REST_CHECKS, ...EVENT_CHECKS]
    : STORAGE_CHECKS;
  database.statement("BEGIN").run();
  try {
    const facts = new Facts(database, { sessionID: session?.id ?? "", messageID: "", location });
    for (const check of checks) {
      if (check.holds(facts)) area.ok(check.name, "holds");
      // Nothing is wrong with a session that is in use: it is refused until it is not.
      else if (check.reason === "maintenance_required") {
        area.warn(check.name, "does not hold", words.reasons[check.reason]);
      } else area.fail(check.name, `does not hold (${check.reason})`, words.reasons[check.reason]);
    }
  } finally {
    database.statement("ROLLBACK").run();
  }
}

/** What only the plugin itself can tell: whether it has the daemon's own database, and would prune in it. */
export async function checkPreview(
  area: Area,
  client: OpenCodeClient,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  const name = "preview by the plugin";
  try {
    const messageID = await newestCompleted(client, session.id, signal);
    if (messageID === undefined) {
      area.ok(name, "the session has no completed assistant message to preview");
      return;
    }
    const { output } = await client.rpc.call(
      {
        rpcID: PRUNING_RPC,
        method: PREVIEW_METHOD,
        input: { sessionID: session.id, messageID },
        location: { directory: session.location.directory },
      },
      { signal },
    );
    const answer = PreviewOutput.parse(output);
    if (answer.status === "blocked") {
      area.fail(name, `is blocked (${answer.reason})`, words.reasons[answer.reason]);
    } else if (answer.liveMutation) {
      area.warn(name, "works, but the session is in use", words.reasons.maintenance_required);
    } else area.ok(name, "works: the database is the daemon's own, and the newest message may be pruned");
  } catch (error) {
    if (signal.aborted) throw error;
    const { detail, todo } = findingOf(
      error instanceof OpenCodeError ? error : new Error("the answer is malformed"),
    );
    area.fail(name, detail, todo);
  }
}

/** Of the newest few: a session that runs has one message at most that is not complete. */
const NEWEST = 10;

async function newestCompleted(client: OpenCodeClient, sessionID: string, signal: AbortSignal) {
  const { data } = await client.message.list(
    { sessionID, type: "assistant", order: "desc", limit: NEWEST },
    { signal },
  );
  return data.find(({ time }) => ((time as { completed?: number }).completed ?? 0) > 0)?.id;
}
