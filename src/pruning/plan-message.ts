import { outlineMessage, revisionOf, type Unprunable } from "../contract/index.ts";
import { isAssistant, type Message } from "../opencode/index.ts";
import type { PartReference, PlannedMessage, Refusal, RefusalReason } from "../state/ports.ts";
import { resolveParts } from "./resolve.ts";

export interface MessagePlan {
  /** Absent when nothing of the selection can be asked for. */
  readonly planned?: PlannedMessage;
  readonly refused: readonly Refusal[];
}

/**
 * What of a selection can be pruned from one freshly read message. All references are of that message;
 * `directory` is its session's.
 */
export function planMessage(
  message: Message,
  selection: readonly PartReference[],
  directory: string,
): MessagePlan {
  const [first] = selection;
  if (first === undefined) return { refused: [] };
  const reference = { sessionID: first.sessionID, messageID: first.messageID };
  const refusal = (parts: number, reason: RefusalReason): Refusal[] =>
    parts === 0 ? [] : [{ ...reference, parts, reason }];

  if (!isAssistant(message)) return { refused: refusal(selection.length, "not_deletable") };
  const outline = outlineMessage(message);
  if (outline.unprunable !== undefined) {
    return { refused: refusal(selection.length, reasonOf(outline.unprunable)) };
  }
  const { indexes, ambiguous, vanished } = resolveParts(message.content, selection);
  const refused = [...refusal(ambiguous, "ambiguous"), ...refusal(vanished, "vanished")];
  if (indexes.length === 0) return { refused };

  const chosen = new Set(indexes);
  const goes = outline.parts.filter((part) => chosen.has(part.index));
  const remaining = outline.parts.filter((part) => !chosen.has(part.index));
  const planned: PlannedMessage = {
    ...reference,
    directory,
    revision: revisionOf(message.content),
    goes: goes.map(({ index, type, bytes, toolName, label }) => ({
      index,
      type,
      bytes,
      label,
      ...(toolName === undefined ? {} : { toolName }),
    })),
    takesAll: remaining.length === 0,
    stays: {
      parts: outline.kept.parts + remaining.length,
      bytes: remaining.reduce((sum, part) => sum + part.bytes, outline.kept.bytes),
    },
  };
  return { planned, refused };
}

function reasonOf(unprunable: Unprunable): RefusalReason {
  return unprunable === "incomplete" || unprunable === "unsettled_tool" ? "incomplete" : "not_deletable";
}
