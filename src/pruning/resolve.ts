import { isTechnicalType, partBytes } from "../contract/index.ts";
import type { PartReference } from "../state/ports.ts";

export interface Resolution {
  /** Indexes in the fresh content, ascending, each once. */
  readonly indexes: readonly number[];
  /** Selected parts that several parts of the fresh content match: none of them is taken. */
  readonly ambiguous: number;
  /** Selected parts that no part of the fresh content matches. */
  readonly vanished: number;
}

type Content = readonly Readonly<Record<string, unknown>>[];

/**
 * Finds selected parts again in freshly read content: a tool by its id, a reasoning part by the only one of that
 * size and time. Where the part stood before says nothing, since a prune by anyone moves what is behind it.
 */
export function resolveParts(content: Content, selection: readonly PartReference[]): Resolution {
  const indexes = new Set<number>();
  let ambiguous = 0;
  let vanished = 0;
  for (const reference of distinct(selection)) {
    const [first, ...others] = matchesOf(content, reference);
    if (first === undefined) vanished += 1;
    else if (others.length > 0) ambiguous += 1;
    else indexes.add(first);
  }
  return { indexes: [...indexes].sort((a, b) => a - b), ambiguous, vanished };
}

/** One part may have been named twice; two reasoning parts that look alike stood at different places. */
function distinct(selection: readonly PartReference[]): readonly PartReference[] {
  const seen = new Map(
    selection.map((reference) => [
      reference.type === "tool"
        ? `tool ${reference.toolID}`
        : `reasoning ${reference.index} ${reference.bytes} ${reference.created}`,
      reference,
    ]),
  );
  return [...seen.values()];
}

function matchesOf(content: Content, reference: PartReference): readonly number[] {
  return content.flatMap((part, index) => (matches(part, reference) ? [index] : []));
}

function matches(part: Readonly<Record<string, unknown>>, reference: PartReference): boolean {
  if (!isTechnicalType(part.type) || part.type !== reference.type) return false;
  if (reference.type === "tool") return reference.toolID !== undefined && part.id === reference.toolID;
  return partBytes(part) === reference.bytes && createdOf(part) === reference.created;
}

function createdOf(part: Readonly<Record<string, unknown>>): number | undefined {
  const created = (part.time as { created?: unknown } | undefined)?.created;
  return typeof created === "number" ? created : undefined;
}
