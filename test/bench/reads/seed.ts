import Database from "better-sqlite3";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../../native/support/messages.ts";
import { flushToDisk } from "./measure.ts";

const LINE = 'src/app/server.ts:120:14 - note: "retry" after 250 ms, höchstens\n';

/** A message of about so many bytes, as an agent writes them: some text, some reasoning, a tool's long output. */
export function agentMessage(id: string, bytes: number) {
  const output = LINE.repeat(Math.ceil((bytes - 2_200) / (LINE.length + 4)));
  return assistantMessage(id, [
    textPart(`I look at ${id}. ${"I say what I do. ".repeat(15)}`),
    reasoningPart("The log says that it retries, so the limit must be somewhere else. ".repeat(18)),
    toolPart(`call_${id}`, output),
  ]);
}

/** Sessions of so many messages each, written straight into the file of a daemon that is stopped. */
export interface SeededSessions {
  readonly prefix: string;
  readonly sessions: number;
  readonly messages: number;
  readonly bytes: number;
}

/** Clones the row of `model`, a session that the daemon itself made, so that the columns are the daemon's. */
export function seedSessions(path: string, model: string, seeded: SeededSessions): void {
  const database = new Database(path);
  database.pragma("synchronous = OFF");
  const columns = database
    .prepare<[], { name: string }>("SELECT name FROM pragma_table_info('session_v2')")
    .all()
    .map(({ name }) => `"${name}"`);
  const session = database.prepare(
    `INSERT INTO session_v2 (${columns}) SELECT ${columns.map((name) => (name === '"id"' ? "?" : name))}
     FROM session_v2 WHERE id = ?`,
  );
  const sequence = database.prepare("INSERT INTO event_sequence VALUES (?, ?, NULL)");
  const message = database.prepare("INSERT INTO session_message VALUES (?, ?, 'assistant', ?, ?, ?, ?)");
  for (let at = 0; at < seeded.sessions; at += 1) {
    const sessionID = `${seeded.prefix}_${String(at).padStart(5, "0")}`;
    database.transaction(() => {
      session.run(sessionID, model);
      sequence.run(sessionID, seeded.messages);
      for (let seq = 1; seq <= seeded.messages; seq += 1) {
        const id = `msg_${sessionID}_${String(seq).padStart(6, "0")}`;
        const { id: _, type: __, ...stored } = agentMessage(id, seeded.bytes);
        message.run(id, sessionID, seq, seq, seq, JSON.stringify(stored));
      }
    })();
  }
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  flushToDisk(path);
}
