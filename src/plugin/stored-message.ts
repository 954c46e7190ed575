import { canonicalJson, isTechnicalType, type Json, revisionOfCanonicalParts } from "../contract/index.ts";
import { contentSpans, cutElements, type Span } from "./content-spans.ts";

/** A message's stored JSON, taken apart without changing a character of it. */
export interface StoredMessage {
  /** The text exactly as stored. */
  readonly text: string;
  readonly completed: unknown;
  readonly parts: readonly StoredPart[];
  readonly revision: string;
}

export interface StoredPart {
  readonly type: unknown;
  /** A tool's `state.status`. */
  readonly status: unknown;
  readonly span: Span;
  readonly canonical: string;
}

/**
 * Takes a stored message apart. Answers `undefined` where it is no JSON object with one `content` array, or is
 * nested deeper than can be walked.
 */
export function readStoredMessage(text: string): StoredMessage | undefined {
  try {
    return takeApart(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function takeApart(text: string): StoredMessage | undefined {
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed) || !Array.isArray(parsed.content)) return undefined;
  const spans = contentSpans(text);
  if (spans?.length !== parsed.content.length) return undefined;
  const parts = parsed.content.map((part: unknown, index): StoredPart => {
    const members = isObject(part) ? part : {};
    const state = isObject(members.state) ? members.state : {};
    return {
      type: members.type,
      status: state.status,
      span: spans[index] ?? { start: 0, end: 0 },
      canonical: canonicalJson(part as Json),
    };
  });
  return {
    text,
    completed: isObject(parsed.time) ? parsed.time.completed : undefined,
    parts,
    revision: revisionOfCanonicalParts(parts.map((part) => part.canonical)),
  };
}

/** What the message is once the parts at `indexes` are gone. */
export function withoutParts(
  message: StoredMessage,
  indexes: readonly number[],
): { readonly text: string; readonly revision: string } {
  const gone = new Set(indexes);
  const spans = message.parts.map((part) => part.span);
  const kept = message.parts.filter((_, index) => !gone.has(index));
  return {
    text: cutElements(message.text, spans, indexes),
    revision: revisionOfCanonicalParts(kept.map((part) => part.canonical)),
  };
}

/** The technical parts with their sizes: UTF-8 bytes of each part's JSON as it is stored. */
export function technicalParts(message: StoredMessage) {
  return message.parts.flatMap((part, index) => {
    if (!isTechnicalType(part.type)) return [];
    const bytes = Buffer.byteLength(message.text.slice(part.span.start, part.span.end), "utf8");
    return [{ index, type: part.type, bytes }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
