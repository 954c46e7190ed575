import type { Notice } from "../state/ports.ts";
import { createEventSource, createHistory, createNativeSource } from "../sync/index.ts";
import { oneLine } from "../text/index.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import { untilInterrupted } from "./interruption.ts";
import { printLines } from "./table.ts";
import { counted } from "./words.ts";

const TITLE_CELLS = 60;

/**
 * `opencode-prune watch`: one line for each pruned event, connection loss and reconciliation, until it is
 * interrupted.
 */
export async function watch(options: GlobalOptions): Promise<void> {
  const { signal, release } = untilInterrupted();
  const { client } = await openConnection(options, signal);
  const history = createHistory({ source: createNativeSource(client), events: createEventSource(client) });
  const titleOf = (sessionID: string) => history.snapshot().sessions.get(sessionID)?.title ?? "";
  history.onNotice((notice) => {
    printLines([`${new Date(notice.at).toISOString()}  ${oneLine(sentenceOf(notice, titleOf), 400)}`]);
  });
  history.start();
  try {
    await aborted(signal);
  } finally {
    history.stop();
    release();
  }
}

function sentenceOf(notice: Notice, titleOf: (sessionID: string) => string): string {
  switch (notice.kind) {
    case "pruned": {
      const { sessionID, messageID } = notice;
      return `pruned ${sessionID} ${messageID} ${oneLine(titleOf(sessionID), TITLE_CELLS)}`.trimEnd();
    }
    case "connected":
      return "connected";
    case "lost":
      return `connection lost: ${notice.problem}`;
    case "reconciled":
      return `reconciled: ${counted(notice.sessions, "session")} compared, ${notice.reread} read again`;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
