import type { Piece } from "./transcript.ts";

/** Tool parts as the runtime stores them, by the tool that was called. */

const completed = (name: string, input: object, texts: readonly string[], metadata: object = {}): Piece => ({
  kind: "tool",
  name,
  input,
  state: {
    status: "completed",
    input,
    content: texts.map((text) => ({ type: "text", text })),
    metadata: { truncated: false, ...metadata },
  },
});

/** A tool that could not do its work. */
export const failed = (name: string, input: object, message: string): Piece => ({
  kind: "tool",
  name,
  input,
  state: { status: "error", input, error: { type: "tool.execution", message } },
});

export function read(path: string, source: string): Piece {
  const lines = source.split("\n");
  const numbered = lines.map((line, index) => `${index + 1}: ${line}`).join("\n");
  return completed("read", { path }, [`Read file ${path}, lines 1-${lines.length}\n${numbered}`]);
}

export const grep = (pattern: string, output: string, include?: string): Piece =>
  completed("grep", { pattern, ...(include ? { include } : {}) }, [output]);

export const glob = (pattern: string, paths: readonly string[]): Piece =>
  completed("glob", { pattern }, [paths.join("\n")]);

export const shell = (command: string, output: string, exit = 0): Piece =>
  completed("shell", { command }, exit === 0 ? [output] : [output, `Exited with code ${exit}`], {
    status: "completed",
    exit,
  });

export const webfetch = (url: string, text: string): Piece =>
  completed("webfetch", { url, format: "markdown" }, [text]);

export const write = (path: string, content: string): Piece =>
  completed("write", { path, content }, [`Created file successfully: ${path}`]);

export function edit(path: string, oldString: string, newString: string): Piece {
  const removed = oldString.split("\n");
  const added = newString.split("\n");
  const patch = [
    `--- ${path}`,
    `+++ ${path}`,
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ].join("\n");
  return completed("edit", { path, oldString, newString }, [`Edited ${path} (1 replacement)`], {
    files: [{ file: path, patch, status: "modified", additions: added.length, deletions: removed.length }],
  });
}
