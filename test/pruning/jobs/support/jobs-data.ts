import type { NewJob } from "../../../../src/pruning/jobs/index.ts";

export const SERVER = "http://one";

/** A job over one session, with so many messages of two parts each. */
export function job(messages: number, sessionID = "ses_1", server = SERVER): NewJob {
  const requests = Array.from({ length: messages }, (_, at) => ({
    request: { messageID: `msg_${at}`, revision: "a".repeat(64), toolCount: 1, reasoningCount: 1 },
    parts: 2,
    bytes: 100,
  }));
  return { server, sessions: [{ sessionID, directory: "/project", requests }] };
}
