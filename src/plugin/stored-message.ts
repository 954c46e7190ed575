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
  return orUnreadable(() => {
    const steps = takeApart(text);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  });
}

/** The same, letting others work between slices of some milliseconds. For messages of megabytes. */
export async function readStoredMessageInSlices(text: string): Promise<StoredMessage | undefined> {
  const steps = takeApart(text);
  for (;;) {
    const sliceEnd = performance.now() + SLICE;
    const step = orUnreadable(() => {
      let next = steps.next();
      while (!next.done && performance.now() < sliceEnd) next = steps.next();
      return next;
    });
    if (!step || step.done) return step?.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Milliseconds. */
const SLICE = 8;

/** Yields wherever others may work. */
function* takeApart(text: string): Generator<void, StoredMessage | undefined> {
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed) || !Array.isArray(parsed.content)) return undefined;
  yield;
  const spans = contentSpans(text);
  if (spans?.length !== parsed.content.length) return undefined;
  yield;
  const parts: StoredPart[] = [];
  for (const [index, span] of spans.entries()) {
    parts.push(storedPart(parsed.content[index], span));
    yield;
  }
  return {
    text,
    completed: isObject(parsed.time) ? parsed.time.completed : undefined,
    parts,
    revision: revisionOfCanonicalParts(parts.map((part) => part.canonical)),
  };
}

function storedPart(part: unknown, span: Span): StoredPart {
  const members = isObject(part) ? part : {};
  const state = isObject(members.state) ? members.state : {};
  return { type: members.type, status: state.status, span, canonical: canonicalJson(part as Json) };
}

function orUnreadable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
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
