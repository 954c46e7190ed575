import type { MessageOutline } from "../contract/index.ts";
import { messageOf } from "./message-index.ts";
import type { HistorySnapshot, SessionOutline, SessionSummary } from "./ports.ts";

/** How long a change stays marked, in milliseconds. */
export const MARKED_FOR = 10_000;

/**
 * The marks after a snapshot was replaced: what changed on the daemon under the user's eyes, by session or message
 * id. Coming to know something for the first time is no change.
 */
export function markChanges(
  marks: ReadonlyMap<string, number>,
  before: HistorySnapshot,
  after: HistorySnapshot,
  openSession: string | undefined,
  now: number,
): ReadonlyMap<string, number> {
  const changed: string[] = [];
  if (before.listed && before.sessions !== after.sessions) {
    for (const [sessionID, session] of after.sessions) {
      const known = before.sessions.get(sessionID);
      if (known !== session && (known === undefined || isChanged(known, session))) changed.push(sessionID);
    }
  }
  if (openSession !== undefined) {
    changed.push(...changedMessages(before.outlines.get(openSession), after.outlines.get(openSession)));
  }
  if (changed.length === 0) return marks;
  const marked = new Map(marks);
  for (const id of changed) marked.set(id, now);
  return marked;
}

/** The marks without those that were there long enough; the same object when none was. */
export function fadeMarks(marks: ReadonlyMap<string, number>, now: number): ReadonlyMap<string, number> {
  const fresh = [...marks].filter(([, at]) => now - at < MARKED_FOR);
  return fresh.length === marks.size ? marks : new Map(fresh);
}

function isChanged(before: SessionSummary, after: SessionSummary): boolean {
  return (
    before.updated !== after.updated ||
    before.activity !== after.activity ||
    before.title !== after.title ||
    (before.technical !== undefined &&
      after.technical !== undefined &&
      before.technical.bytes !== after.technical.bytes)
  );
}

function changedMessages(before: SessionOutline | undefined, after: SessionOutline | undefined): string[] {
  if (before === undefined || after === undefined || before.messages === after.messages) return [];
  return after.messages
    .filter((message) => {
      const old = messageOf(before, message.messageID);
      return old !== message && (old === undefined || isDifferent(old, message));
    })
    .map((message) => message.messageID);
}

function isDifferent(before: MessageOutline, after: MessageOutline): boolean {
  return (
    before.completed !== after.completed ||
    before.parts.length !== after.parts.length ||
    before.parts.some((part, index) => {
      const now = after.parts[index];
      return part.bytes !== now?.bytes || part.status !== now.status;
    })
  );
}
