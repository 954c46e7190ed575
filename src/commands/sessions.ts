import { type Session, sessionPages } from "../opencode/index.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import { printLines, tableLines } from "./table.ts";
import { quantities } from "./words.ts";

/** `opencode-prune sessions`: every session of the server, the newest first. */
export async function sessions(options: GlobalOptions): Promise<void> {
  const { client } = await openConnection(options);
  const running = await client.session.active();
  const found: Session[] = [];
  for await (const page of sessionPages(client)) found.push(...page);
  found.sort((a, b) => b.time.updated - a.time.updated);
  const now = Date.now();
  printLines(
    tableLines(
      [
        { title: "SESSION" },
        { title: "STATE" },
        { title: "UPDATED", align: "end" },
        { title: "LOCATION", most: 48 },
        { title: "TITLE" },
      ],
      found.map((session) => [
        session.id,
        stateOf(session, running[session.id] !== undefined),
        quantities.ago(session.time.updated, now),
        session.location.directory,
        session.title ?? "",
      ]),
    ),
  );
}

function stateOf(session: Session, running: boolean): string {
  if (running) return "running";
  return session.revert === undefined || session.revert === null ? "idle" : "reverted";
}
