import { isTechnicalType, type PartOutline } from "../contract/index.ts";

/**
 * The technical parts of a message as one JSON text: an array with one array a part, members that a part does
 * not have as null. The label is made from a tool's input, which is content, and is left out.
 */
export function partsToText(parts: readonly PartOutline[]): string {
  return JSON.stringify(
    parts.map((part) => [
      part.index,
      part.type,
      part.bytes,
      part.toolID ?? null,
      part.toolName ?? null,
      part.status ?? null,
      part.created ?? null,
    ]),
  );
}

/** The parts again, with empty labels; undefined when the text is not what `partsToText` writes. */
export function partsFromText(text: string): readonly PartOutline[] | undefined {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(rows)) return undefined;
  const parts: PartOutline[] = [];
  for (const row of rows) {
    const part = partFrom(row);
    if (!part) return undefined;
    parts.push(part);
  }
  return parts;
}

function partFrom(row: unknown): PartOutline | undefined {
  if (!Array.isArray(row)) return undefined;
  const [index, type, bytes, toolID, toolName, status, created] = row as unknown[];
  if (typeof index !== "number" || typeof bytes !== "number" || !isTechnicalType(type)) return undefined;
  return {
    index,
    type,
    bytes,
    ...(typeof toolID === "string" ? { toolID } : {}),
    ...(typeof toolName === "string" ? { toolName } : {}),
    ...(typeof status === "string" ? { status } : {}),
    label: "",
    ...(typeof created === "number" ? { created } : {}),
  };
}
