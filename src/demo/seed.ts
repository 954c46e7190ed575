import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ThrowawayDaemon } from "./daemon.ts";
import { callDaemon } from "./daemon-request.ts";
import { createGate } from "./gate.ts";
import type { ScriptedProvider } from "./provider.ts";
import { type ImportedSession, PROJECTS, REVERTED, RUNNING, sampleSessions } from "./samples/index.ts";

export interface Seeded {
  /** How many sessions there are. */
  readonly sessions: number;
  readonly projects: number;
  /** The id of the session whose model answer is held open until the provider closes. */
  readonly running: string;
  /** The id of the session with a staged revert. */
  readonly reverted: string;
}

/** Fills a fresh throwaway daemon with the sample sessions. The folders of the projects lie in its home. */
export async function seed(daemon: ThrowawayDaemon, provider: ScriptedProvider): Promise<Seeded> {
  for (const project of PROJECTS) await mkdir(join(daemon.user, project));
  const sessions = sampleSessions(daemon.user, Date.now());
  for (const session of sessions)
    await callDaemon(daemon, "POST", "/api/experimental/session/import", session);
  const reverted = await stageRevert(daemon, sessions);
  restoreTimes(daemon.database, sessions);
  const running = await startRunning(daemon, provider, sessions);
  return { sessions: sessions.length, projects: PROJECTS.length, running, reverted };
}

/** Stages a revert to the last thing that the user asked in the session meant for it. */
async function stageRevert(daemon: ThrowawayDaemon, sessions: readonly ImportedSession[]) {
  const { info, messages } = titled(sessions, REVERTED);
  const asked = messages.findLast((message) => message.type === "user");
  await callDaemon(daemon, "POST", `/api/session/${info.id}/revert/stage`, { messageID: asked?.id });
  return info.id;
}

/** An import says that the session was updated just now. Here they should look as old as they claim to be. */
function restoreTimes(database: string, sessions: readonly ImportedSession[]) {
  const stored = new Database(database, { fileMustExist: true, timeout: 5_000 });
  try {
    const update = stored.prepare("UPDATE session_v2 SET time_updated = ? WHERE id = ?");
    stored.transaction(() => {
      for (const { info } of sessions) update.run(info.time.updated, info.id);
    })();
  } finally {
    stored.close();
  }
}

/** One session runs: its model has thought, said a sentence, and then says nothing more. */
async function startRunning(
  daemon: ThrowawayDaemon,
  provider: ScriptedProvider,
  sessions: readonly ImportedSession[],
) {
  const { id } = titled(sessions, RUNNING.title).info;
  const gate = createGate();
  provider.queue([{ reasoning: RUNNING.thought }, { text: RUNNING.note }, { hold: gate }]);
  await callDaemon(daemon, "POST", `/api/session/${id}/prompt`, { text: RUNNING.ask });
  await gate.reached;
  return id;
}

function titled(sessions: readonly ImportedSession[], title: string): ImportedSession {
  const session = sessions.find((one) => one.info.title === title);
  if (!session) throw new Error(`The samples have no session “${title}”.`);
  return session;
}
