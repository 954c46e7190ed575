import { partBytes, revisionOf } from "../contract/index.ts";
import { isAssistant, type Message, NotFoundError, type OpenCodeClient } from "../opencode/index.ts";
import { sectionsOf } from "../state/index.ts";
import { findSession, type GlobalOptions, openConnection } from "./connection.ts";
import type { DocumentBody } from "./documents/index.ts";
import { CommandFailure } from "./failure.ts";
import { untilInterrupted } from "./interruption.ts";
import { locateMessage } from "./locate-message.ts";
import { printDocument } from "./print-document.ts";
import { printLines } from "./table.ts";
import { counted, quantities } from "./words.ts";

export interface ShowOptions extends GlobalOptions {
  /** Where the message is; without it every session is asked. */
  readonly session?: string;
  readonly part?: number;
}

type ShownMessage = DocumentBody<"message">;
type ShownPart = ShownMessage["parts"][number];

/** `opencode-prune show MESSAGE`: the content of a message, or of one part of it. */
export async function show(messageID: string, options: ShowOptions): Promise<void> {
  const { signal, release } = untilInterrupted();
  try {
    const { client } = await openConnection(options, signal);
    const { sessionID, message } =
      options.session === undefined
        ? await locateMessage(client, messageID, signal)
        : await messageOf(client, options.session, messageID, signal);
    const shown = shownMessage(sessionID, message, options.part);
    if (options.json) printDocument("message", shown);
    else printLines(linesOf(shown));
  } finally {
    release();
  }
}

async function messageOf(client: OpenCodeClient, sessionID: string, messageID: string, signal: AbortSignal) {
  await findSession(client, sessionID, signal);
  try {
    return { sessionID, message: await client.session.message({ sessionID, messageID }, { signal }) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CommandFailure(
      `There is no message ${messageID} in session ${sessionID}; list them with \`opencode-prune parts ${sessionID}\`.`,
    );
  }
}

function shownMessage(sessionID: string, message: Message, wanted: number | undefined): ShownMessage {
  const parts = partsOf(message);
  if (wanted !== undefined && parts[wanted] === undefined) {
    const last = parts.length === 0 ? "" : `, 0 to ${parts.length - 1}`;
    throw new CommandFailure(
      `Message ${message.id} has no part ${wanted}; it has ${counted(parts.length, "part")}${last}.`,
    );
  }
  const { completed } = message.time as { completed?: number };
  return {
    sessionID,
    messageID: message.id,
    type: message.type,
    created: message.time.created,
    ...(completed === undefined ? {} : { completed }),
    ...(isAssistant(message) ? { revision: revisionOf(message.content) } : {}),
    parts: wanted === undefined ? parts : parts.filter(({ index }) => index === wanted),
  };
}

/** The text of a message that is not an assistant's stands as its only part. */
function partsOf(message: Message): ShownPart[] {
  const content = isAssistant(message)
    ? message.content
    : typeof message.text === "string"
      ? [{ type: "text", text: message.text }]
      : [];
  return content.map((part, index) => ({ index, type: part.type, bytes: partBytes(part), content: part }));
}

function linesOf(shown: ShownMessage): readonly string[] {
  return [
    `${shown.type} message ${shown.messageID} of ${shown.sessionID}`,
    ...shown.parts.flatMap((part) => ["", headingOf(part), ...contentLines(part)]),
  ];
}

function headingOf({ index, type, bytes, content }: ShownPart): string {
  const { status } = (content.state ?? {}) as { status?: unknown };
  const tool = type === "tool" ? [String(content.name), ...(typeof status === "string" ? [status] : [])] : [];
  return `── part ${index}: ${[type, ...tool, quantities.bytes(bytes)].join(", ")}`;
}

function contentLines({ type, content }: ShownPart): readonly string[] {
  if (type === "text" && typeof content.text === "string") return content.text.split(/\r?\n/);
  return sectionsOf(content).flatMap((section) => {
    if (section.kind === "attachment") {
      const { type: kind, mime, name, bytes } = section;
      return [`[${[kind, mime, name].filter(Boolean).join(", ")}, ${quantities.bytes(bytes)}]`];
    }
    const lines = section.text.split(/\r?\n/);
    return section.kind === "reasoning" ? lines : [`${section.kind}:`, ...lines.map((line) => `  ${line}`)];
  });
}
