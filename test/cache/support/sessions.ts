import type { MessageOutline } from "../../../src/contract/index.ts";

/** A session to keep, with assistant messages of one tool and one reasoning part. */
export function session(sessionID: string, messageIDs: readonly string[], fingerprint = "f1") {
  const messages = messageIDs.map(message);
  return {
    listing: {
      sessionID,
      title: `Title of ${sessionID}`,
      directory: "/project",
      projectID: "global",
      created: 1_700_000_000_000,
      updated: 1_700_000_000_500,
    },
    content: {
      totals: {
        messages: messages.length + 1,
        storedBytes: 900 * messages.length,
        technical: { parts: 2 * messages.length, bytes: 700 * messages.length },
        fingerprint,
      },
      outline: { messages, others: { messages: 1, bytes: 40 } },
    },
  };
}

function message(messageID: string): MessageOutline {
  return {
    messageID,
    created: 1_700_000_000_000,
    completed: 1_700_000_000_100,
    storedBytes: 900,
    parts: [
      { index: 0, type: "reasoning", bytes: 200, label: "a secret thought", created: 1_700_000_000_001 },
      {
        index: 1,
        type: "tool",
        bytes: 500,
        toolID: `call_${messageID}`,
        toolName: "read",
        status: "completed",
        label: "/a/secret/path",
      },
    ],
    kept: { parts: 1, bytes: 100 },
  };
}
