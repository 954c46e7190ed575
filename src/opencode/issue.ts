import type * as z from "zod";

/** The first thing wrong with an answer: where (`data[3].time.created`), and what in words without content. */
export function describeIssue(error: z.ZodError): { path: string; reason: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: "", reason: "unexpected shape" };
  return { path: memberPath(issue.path), reason: issue.message.replace(/^Invalid input: /, "") };
}

function memberPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, position) =>
      typeof step === "number" ? `[${step}]` : `${position === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}
