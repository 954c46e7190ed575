import type { MessageOutline } from "../contract/index.ts";
import { findSession, type GlobalOptions, openConnection, unknownSession } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { historySource } from "./source.ts";
import { printLines, tableLines } from "./table.ts";
import { counted, quantities, words } from "./words.ts";

/** `opencode-prune parts SESSION`: the technical parts of a session, oldest first. */
export async function parts(sessionID: string, options: GlobalOptions): Promise<void> {
  const { signal, release } = untilInterrupted();
  try {
    const { client } = await openConnection(options, signal);
    await findSession(client, sessionID, signal);
    const outline = await historySource(client).outline(sessionID, signal);
    if (!outline) throw unknownSession(sessionID);
    const body = bodyOf(sessionID, outline.messages);
    if (options.json) printDocument("parts", body);
    else printLines(linesOf(outline.messages, body.technical));
  } finally {
    release();
  }
}

function bodyOf(sessionID: string, messages: readonly MessageOutline[]): DocumentBody<"parts"> {
  const all = messages.flatMap((message) => message.parts);
  return {
    sessionID,
    messages: messages.map((message) => ({
      ...message,
      parts: message.parts.map(({ toolName, ...part }) => ({
        ...part,
        ...(toolName === undefined ? {} : { tool: toolName }),
      })),
    })),
    technical: {
      messages: messages.filter((message) => message.parts.length > 0).length,
      parts: all.length,
      bytes: all.reduce((sum, part) => sum + part.bytes, 0),
    },
  };
}

function linesOf(messages: readonly MessageOutline[], technical: DocumentBody<"parts">["technical"]) {
  const now = Date.now();
  const rows = messages.flatMap((message) =>
    message.parts.map((part) => [
      message.messageID,
      quantities.count(part.index),
      part.toolName ?? part.type,
      statusOf(message, part.status),
      quantities.ago(part.created ?? message.created, now),
      quantities.bytes(part.bytes),
      part.label,
    ]),
  );
  const table = tableLines(
    [
      { title: "MESSAGE" },
      { title: "PART", align: "end" },
      { title: "KIND", most: 24 },
      { title: "STATUS" },
      { title: "AGE", align: "end" },
      { title: "SIZE", align: "end" },
      { title: "WHAT IT DID", most: 80 },
    ],
    rows,
  );
  const found = `${counted(rows.length, "technical part")} in ${counted(messages.length, "message")}`;
  return [...table, "", `${found}, ${quantities.bytes(technical.bytes)}.`];
}

/** What stands against pruning the message says more than what became of the tool. */
function statusOf(message: MessageOutline, status: string | undefined): string {
  return message.unprunable === undefined ? (status ?? "") : words.unprunableShort[message.unprunable];
}
