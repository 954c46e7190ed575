/** Messages as `POST /api/experimental/session/import` takes them. */
export function userMessage(id: string, text: string) {
  return { id, type: "user", text, time: { created: 1_700_000_000_000 } };
}

export function assistantMessage(id: string, content: readonly unknown[], time: object = {}) {
  return {
    id,
    type: "assistant",
    agent: "build",
    model: { id: "fixture", providerID: "fixture" },
    time: { created: 1_700_000_001_000, completed: 1_700_000_002_000, ...time },
    content,
    finish: "stop",
  };
}

export function textPart(text: string) {
  return { type: "text", text };
}

export function reasoningPart(text: string) {
  return { type: "reasoning", text, time: { created: 1_700_000_001_100, completed: 1_700_000_001_200 } };
}

export function toolPart(id: string, output: string, state: object = {}) {
  return {
    type: "tool",
    id,
    name: "read",
    state: {
      status: "completed",
      input: { filePath: `/project/${id}.ts` },
      content: [{ type: "text", text: output }],
      ...state,
    },
    time: { created: 1_700_000_001_300, ran: 1_700_000_001_400, completed: 1_700_000_001_500 },
  };
}

/** A tool that has not settled: nothing of its message can be pruned. */
export function runningToolPart(id: string) {
  return toolPart(id, "", { status: "running", metadata: {}, content: undefined });
}

/** A completed message with one part of each kind, the text first. */
export function sampleMessage(messageID: string) {
  return assistantMessage(messageID, [
    textPart("kept"),
    reasoningPart("because of this"),
    toolPart(`call_${messageID}`, "output"),
  ]);
}
