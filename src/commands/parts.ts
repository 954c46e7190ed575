import type { MessageOutline } from "../contract/index.ts";
import { findSession, type GlobalOptions, openConnection } from "./connection.ts";
import { readOutlines } from "./outlines.ts";
import { printLines, tableLines } from "./table.ts";
import { counted, quantities } from "./words.ts";

/** `opencode-prune parts SESSION`: the technical parts of a session, oldest first. */
export async function parts(sessionID: string, options: GlobalOptions): Promise<void> {
  const { client } = await openConnection(options);
  const session = await findSession(client, sessionID);
  const outlines = await readOutlines(client, session.id);
  const now = Date.now();
  const rows = outlines.flatMap((message) =>
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
  printLines(
    tableLines(
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
    ),
  );
  const bytes = outlines.flatMap((message) => message.parts).reduce((sum, part) => sum + part.bytes, 0);
  printLines([
    "",
    `${counted(rows.length, "technical part")} in ${counted(outlines.length, "message")}, ${quantities.bytes(bytes)}.`,
  ]);
}

function statusOf(message: MessageOutline, status: string | undefined): string {
  return message.unprunable === "incomplete" ? "incomplete" : (status ?? "");
}
