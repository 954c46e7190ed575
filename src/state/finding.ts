import type { AppContext } from "./app-context.ts";
import type { FoundRow, FoundView } from "./app-state.ts";
import { UNTOUCHED } from "./list-view.ts";
import { markedExcerpt } from "./marked-excerpt.ts";
import { messageOf } from "./message-index.ts";
import type { openingActions } from "./opening.ts";
import type { FoundText, MessageReference, SearchStep } from "./ports.ts";
import { problemOf } from "./problem.ts";
import { rowAtCursor, topScreen } from "./screens.ts";

/** Messages that a search holds on to; a text that is in more of them has to be sought more exactly. */
export const MAX_FOUND = 1_000;

/** Searching the content of messages, of all sessions or of one, and going to what was found. */
export function findingActions(context: AppContext, opening: ReturnType<typeof openingActions>) {
  const { ports, get, change, tell, push, pop } = context;
  let controller: AbortController | undefined;

  /** The one session that a search asked for now is about; all of them where there is none. */
  function scope(): string | undefined {
    const { parts, found } = get();
    const screen = topScreen(get());
    if (screen === "parts") return parts?.sessionID;
    return screen === "found" ? found?.sessionID : undefined;
  }

  function start(text: string): boolean {
    if (text.trim() === "" || ports.search === undefined) return false;
    const sessionID = scope();
    const query = { text, ...(sessionID === undefined ? {} : { sessionID }) };
    controller?.abort();
    const current = new AbortController();
    controller = current;
    push("found", {
      found: { ...query, phase: "searching", hits: [], scanned: 0, skipped: 0, through: [] },
      lists: { ...get().lists, found: UNTOUCHED },
    });
    take(ports.search.search(query, current.signal), current);
    return true;
  }

  async function take(steps: AsyncIterable<SearchStep>, { signal }: AbortController): Promise<void> {
    const land = (with_: (found: FoundView) => FoundView) => {
      const { found } = get();
      if (found !== undefined && !signal.aborted) change({ found: with_(found) });
    };
    try {
      for await (const step of steps) {
        land((found) => withStep(found, step));
        if (signal.aborted || get().found?.phase !== "searching") return;
      }
      land((found) => ({ ...found, phase: "done" }));
    } catch (error) {
      land((found) => ({ ...found, phase: "failed", problem: problemOf(error) }));
    }
  }

  function stop(): void {
    controller?.abort();
    const { found } = get();
    if (found?.phase === "searching") change({ found: { ...found, phase: "stopped" } });
  }

  return {
    scope,
    start,
    stop,
    /** The message that was found, in its session's parts. The results of all sessions stay below. */
    openFound(): void {
      const row = rowAtCursor(get(), "found");
      if (row === undefined) return;
      if (get().found?.sessionID !== undefined) stop();
      opening.openMessage(row);
      showInParts(row.messageID);
      if (hasNoRow(row)) tell({ kind: "nothing_technical" });
    },
    /** Back to where the search was asked for; what was found is let go of. */
    close(): void {
      controller?.abort();
      pop({ found: undefined });
    },
    /** A message was pruned: excerpts of what may have gone are let go of. */
    forget({ sessionID, messageID }: MessageReference): void {
      const { found } = get();
      const isPruned = (row: FoundRow) =>
        row.messageID === messageID && row.sessionID === sessionID && row.kind !== "text";
      if (!found?.hits.some(isPruned)) return;
      const hits = found.hits.map((row) => (isPruned(row) ? withoutExcerpt(row) : row));
      change({ found: { ...found, hits } });
    },
  };

  /** A filter that hides what was found is taken off. */
  function showInParts(messageID: string): void {
    const { parts, rows, lists } = get();
    const isShown = rows.parts.some((row) => row.kind === "message" && row.message.messageID === messageID);
    if (parts === undefined || isShown) return;
    change({
      parts: { ...parts, shown: "technical", filter: "" },
      lists: { ...lists, parts: { ...UNTOUCHED, key: messageID } },
    });
  }

  /** The list of parts is known not to have the message. */
  function hasNoRow({ sessionID, messageID, role }: FoundRow): boolean {
    const message = messageOf(get().history.outlines.get(sessionID), messageID);
    return role !== "assistant" || message?.parts.length === 0;
  }
}

function withStep(found: FoundView, { hits, scanned, skipped, through }: SearchStep): FoundView {
  const room = MAX_FOUND - found.hits.length;
  return {
    ...found,
    phase: hits.length > room ? "full" : found.phase,
    hits: [...found.hits, ...hits.slice(0, room).map((hit) => rowOf(hit, found.text))],
    scanned: found.scanned + scanned,
    skipped: found.skipped + skipped,
    through: found.through.includes(through) ? found.through : [...found.through, through],
  };
}

function rowOf({ excerpt, ...hit }: FoundText, text: string): FoundRow {
  return { key: `${hit.sessionID} ${hit.messageID}`, ...hit, excerpt: markedExcerpt(excerpt, text) };
}

function withoutExcerpt({ excerpt: _, ...row }: FoundRow): FoundRow {
  return row;
}
