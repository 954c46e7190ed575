import type { MessageOutline, PartOutline, TechnicalType, Unprunable } from "../contract/index.ts";

/** Which technical parts are meant. A member that is absent leaves everything in; what is given must all hold. */
export interface PartFilter {
  readonly types: ReadonlySet<TechnicalType>;
  /** Exact names; reasoning parts have none, and are not held back by it. */
  readonly toolNames?: ReadonlySet<string>;
  /** UTF-8 bytes of the part's JSON, at least. */
  readonly minBytes?: number;
  /** Milliseconds since the epoch: only what is older. */
  readonly before?: number;
  /** The newest assistant messages of a session that are left alone, whatever they hold. */
  readonly keepLast?: number;
  readonly messageIDs?: ReadonlySet<string>;
}

export const EVERYTHING_TECHNICAL: PartFilter = { types: new Set(["tool", "reasoning"]) };

export interface MatchingMessage {
  readonly message: MessageOutline;
  /** At least one. */
  readonly parts: readonly PartOutline[];
}

export interface Matches {
  /** In messages that may be pruned. */
  readonly prunable: readonly MatchingMessage[];
  /** In messages that cannot be pruned now, each of which says why. */
  readonly unprunable: readonly (MatchingMessage & { readonly reason: Unprunable })[];
}

/** What a filter means in one session, whose assistant messages are given oldest first. */
export function matchingParts(messages: readonly MessageOutline[], filter: PartFilter): Matches {
  const prunable: MatchingMessage[] = [];
  const unprunable: (MatchingMessage & { reason: Unprunable })[] = [];
  const end = Math.max(0, messages.length - (filter.keepLast ?? 0));
  for (const message of messages.slice(0, end)) {
    if (filter.messageIDs?.has(message.messageID) === false) continue;
    const parts = message.parts.filter((part) => matches(part, message, filter));
    if (parts.length === 0) continue;
    if (message.unprunable === undefined) prunable.push({ message, parts });
    else unprunable.push({ message, parts, reason: message.unprunable });
  }
  return { prunable, unprunable };
}

function matches(part: PartOutline, message: MessageOutline, filter: PartFilter): boolean {
  const { types, toolNames, minBytes = 0, before } = filter;
  if (!types.has(part.type) || part.bytes < minBytes) return false;
  if (before !== undefined && (part.created ?? message.created) >= before) return false;
  return part.type !== "tool" || toolNames === undefined || toolNames.has(part.toolName ?? "");
}
