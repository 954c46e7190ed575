import type { CleanupPlan, CleanupSession } from "../../state/ports.ts";
import type { NewJobSession } from "../jobs/index.ts";
import { countCalls } from "../sending/index.ts";
import type { SessionReading } from "./session-reading.ts";

/** The plan that the readings of these sessions make, in their order, and the requests that it stands for. */
export function planOf(sessions: readonly (readonly [sessionID: string, reading: SessionReading])[]): {
  readonly plan: CleanupPlan;
  readonly requests: readonly NewJobSession[];
} {
  const planned = sessions.map(([sessionID, reading]) => plannedSession(sessionID, reading));
  const sum = (of: (session: CleanupSession) => number) =>
    planned.reduce((total, session) => total + of(session), 0);
  const requests = sessions.flatMap(([sessionID, reading]): NewJobSession[] => {
    if ("refused" in reading || reading.requests.length === 0) return [];
    return [{ sessionID, directory: reading.directory, requests: reading.requests }];
  });
  return {
    plan: {
      sessions: planned,
      requests: sessions.reduce((total, [, reading]) => total + callsOf(reading), 0),
      messages: sum(({ eligible }) => eligible.messages),
      parts: sum(({ eligible }) => eligible.parts),
      bytes: sum(({ eligible }) => eligible.bytes),
    },
    requests,
  };
}

function plannedSession(sessionID: string, reading: SessionReading): CleanupSession {
  if ("refused" in reading) {
    return {
      sessionID,
      eligible: { messages: 0, parts: 0, bytes: 0 },
      skipped: [],
      refused: reading.refused,
    };
  }
  const { requests, skipped } = reading;
  return {
    sessionID,
    eligible: {
      messages: requests.length,
      parts: requests.reduce((total, { parts }) => total + parts, 0),
      bytes: requests.reduce((total, { bytes }) => total + bytes, 0),
    },
    skipped,
  };
}

function callsOf(reading: SessionReading): number {
  return "refused" in reading ? 0 : countCalls(reading.requests, reading.delivery);
}
