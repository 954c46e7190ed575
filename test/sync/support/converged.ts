import { expect } from "vitest";
import type { HistoryPort } from "../../../src/state/ports.ts";
import type { FakeDaemon } from "./fake-daemon.ts";

/** What the screen would show, and what a fresh full read finds, must be the same, and said to be confirmed. */
export function expectConverged(history: HistoryPort, daemon: FakeDaemon): void {
  const { connection, sessions, outlines } = history.snapshot();
  const truth = daemon.truth();
  expect(connection.phase).toBe("live");
  expect([...sessions.keys()].sort()).toEqual([...truth.keys()].sort());
  for (const [sessionID, { listing, outline }] of truth) {
    let technicalBytes = 0;
    let technicalParts = 0;
    let storedBytes = outline.others.bytes;
    for (const message of outline.messages) {
      storedBytes += message.storedBytes;
      technicalParts += message.parts.length;
      for (const part of message.parts) technicalBytes += part.bytes;
    }
    expect(sessions.get(sessionID)).toEqual({
      ...listing,
      messages: outline.messages.length + outline.others.messages,
      storedBytes,
      technical: { parts: technicalParts, bytes: technicalBytes },
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
