import type { MessageOutline } from "../contract/index.ts";
import type { SessionOutline } from "./ports.ts";

type Index = ReadonlyMap<string, number>;

const indexes = new WeakMap<readonly MessageOutline[], Index>();

/** Where a message stands among the assistant messages of its session, from 0. Looked up, not searched for. */
export function messageIndex(outline: SessionOutline | undefined, messageID: string): number | undefined {
  if (outline === undefined) return undefined;
  let index = indexes.get(outline.messages);
  if (index === undefined) {
    index = new Map(outline.messages.map((message, position) => [message.messageID, position]));
    indexes.set(outline.messages, index);
  }
  return index.get(messageID);
}

export function messageOf(
  outline: SessionOutline | undefined,
  messageID: string,
): MessageOutline | undefined {
  const index = messageIndex(outline, messageID);
  return index === undefined ? undefined : outline?.messages[index];
}
