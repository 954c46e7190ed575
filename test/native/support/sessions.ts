import { passwordHeaders } from "#opencode/client";
import type { ThrowawayDaemon } from "../../../src/demo/daemon.ts";
import type { HistorySnapshot } from "../../../src/state/ports.ts";
import type { History } from "../../../src/sync/index.ts";

/** A completed assistant message with a reasoning, a tool and a text part; the tool's output has so many bytes. */
export function assistant(id: string, bytes: number, created = 1_700_000_000_000): Record<string, unknown> {
  return {
    id,
    type: "assistant",
    agent: "build",
    model: { id: "fixture", providerID: "fixture" },
    time: { created, completed: created + 10 },
    content: [
      { type: "reasoning", text: `thought of ${id}` },
      {
        type: "tool",
        id: `call_${id}`,
        name: "read",
        time: { created, ran: created, completed: created },
        state: {
          status: "completed",
          input: { filePath: `/secret/${id}.ts` },
          content: [{ type: "text", text: "x".repeat(bytes) }],
          metadata: {},
        },
      },
      { type: "text", text: `answer of ${id}` },
    ],
  };
}

/** Writes a whole session through the daemon's import. */
export async function importSession(
  daemon: ThrowawayDaemon,
  sessionID: string,
  messages: readonly Record<string, unknown>[],
): Promise<void> {
  const time = 1_700_000_000_000;
  const answer = await fetch(`${daemon.url}/api/experimental/session/import`, {
    method: "POST",
    headers: { ...passwordHeaders(daemon.password), "content-type": "application/json" },
    body: JSON.stringify({
      info: {
        id: sessionID,
        projectID: "global",
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: time, updated: time },
        title: `Title of ${sessionID}`,
        location: { directory: daemon.home },
      },
      messages,
      location: { directory: daemon.home },
    }),
  });
  if (!answer.ok) throw new Error(`Importing ${sessionID} answered ${answer.status}: ${await answer.text()}`);
}

/** Waits until the snapshot is as wanted, for half a minute at most. */
export async function until(history: History, wanted: (snapshot: HistorySnapshot) => boolean): Promise<void> {
  if (wanted(history.snapshot())) return;
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      stop();
      const { connection, sessions } = history.snapshot();
      reject(
        new Error(
          `It did not come: ${wanted}\n${JSON.stringify({ connection, sessions: [...sessions.values()] })}`,
        ),
      );
    }, 30_000);
    const stop = history.onChange(() => {
      if (!wanted(history.snapshot())) return;
      clearTimeout(limit);
      stop();
      resolve();
    });
  });
}
