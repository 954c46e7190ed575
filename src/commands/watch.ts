import { createEventSource } from "../sync/index.ts";
import { oneLine } from "../text/index.ts";
import { type GlobalOptions, openConnection } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { historySource } from "./source.ts";
import { printLines } from "./table.ts";
import { createWatcher } from "./watcher.ts";
import { counted } from "./words.ts";

const TITLE_CELLS = 60;

/**
 * `opencode-prune watch`: every pruned event, connection loss and reconciliation as it comes, until it is
 * interrupted. Text on a terminal; with `--json`, or in a pipe, one JSON document a line.
 */
export async function watch(options: GlobalOptions): Promise<void> {
  const { signal, release } = untilInterrupted();
  const { client } = await openConnection(options, signal);
  const asJson = options.json || !process.stdout.isTTY;
  const watcher = createWatcher({
    source: historySource(client),
    events: createEventSource(client),
    tell: (event) => (asJson ? printDocument("event", event) : printLines([lineOf(event)])),
  });
  watcher.start();
  try {
    await aborted(signal);
  } finally {
    watcher.stop();
    release();
  }
}

function lineOf(event: DocumentBody<"event">): string {
  return `${new Date(event.at).toISOString()}  ${oneLine(sentenceOf(event), 400)}`;
}

function sentenceOf(event: DocumentBody<"event">): string {
  switch (event.event) {
    case "pruned": {
      const { sessionID, messageID, title } = event;
      return `pruned ${sessionID} ${messageID} ${oneLine(title, TITLE_CELLS)}`.trimEnd();
    }
    case "connected":
      return `connected: ${counted(event.sessions, "session")}`;
    case "lost":
      return `connection lost: ${event.problem}`;
    case "reconciled": {
      const { lostAt, backAt, sessions, changed, deleted } = event;
      const missed = `missed ${new Date(lostAt).toISOString()} to ${new Date(backAt).toISOString()}`;
      return `reconciled: ${missed}, ${counted(sessions, "session")} compared, ${changed.length} changed, ${deleted.length} deleted`;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
