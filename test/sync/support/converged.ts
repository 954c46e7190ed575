import { expect } from "vitest";
import type { MessageCache } from "../../../src/cache/index.ts";
import type { HistoryPort } from "../../../src/state/ports.ts";
import type { OutlineReading } from "../../../src/sync/index.ts";
import type { FakeDaemon } from "./fake-daemon.ts";

/** What the screen would show, and what a fresh full read finds, must be the same, and said to be confirmed. */
export function expectConverged(history: HistoryPort, daemon: FakeDaemon): void {
  const { connection, sessions, outlines } = history.snapshot();
  const truth = daemon.truth();
  expect(connection.phase).toBe("live");
  expect([...sessions.keys()].sort()).toEqual([...truth.keys()].sort());
  for (const [sessionID, { listing, outline }] of truth) {
    expect(sessions.get(sessionID)).toEqual({
      ...listing,
      ...totalsOf(outline),
      confirmed: true,
      refreshing: false,
    });
    const shown = outlines.get(sessionID);
    if (shown) {
      expect(shown).toEqual({
        sessionID,
        messages: outline.messages,
        confirmed: true,
        refreshing: false,
        refreshingMessages: new Set(),
      });
    }
  }
  expect([...outlines.keys()].filter((sessionID) => !truth.has(sessionID))).toEqual([]);
}

/** What is on the disk must be the same too, but for the labels, which never are. */
export function expectCacheConverged(cache: MessageCache, daemon: FakeDaemon): void {
  const truth = daemon.truth();
  const kept = cache.sessions();
  expect(kept.map((one) => one.sessionID).sort()).toEqual([...truth.keys()].sort());
  for (const { sessionID, totals, ...rest } of kept) {
    const { listing, outline } = truth.get(sessionID) ?? {};
    if (!listing || !outline) continue;
    const { activity: _, ...metadata } = listing;
    expect({ sessionID, ...rest }).toEqual(metadata);
    const { fingerprint: __, ...known } = totals ?? {};
    expect(known).toEqual(totalsOf(outline));
    expect(cache.outline(sessionID)?.messages).toEqual(
      outline.messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ({ ...part, label: "" })),
      })),
    );
  }
}

function totalsOf({ messages, others }: OutlineReading) {
  const parts = messages.flatMap((message) => message.parts);
  return {
    messages: messages.length + others.messages,
    storedBytes: messages.reduce((sum, message) => sum + message.storedBytes, others.bytes),
    technical: { parts: parts.length, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) },
  };
}
