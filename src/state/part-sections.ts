/** A piece of a part that is shown apart from the others. */
export type Section =
  | { readonly kind: "reasoning" | "input" | "output" | "error" | "metadata"; readonly text: string }
  | {
      readonly kind: "attachment";
      /** `image`, `file`, or whatever the part calls it. */
      readonly type: string;
      readonly mime: string;
      readonly name: string;
      /** UTF-8 bytes of its JSON. */
      readonly bytes: number;
    };

type Members = Readonly<Record<string, unknown>>;

/** What a stored part holds, in reading order. Whatever has no place of its own is shown as JSON, never dropped. */
export function sectionsOf(part: Members): readonly Section[] {
  if (part.type === "reasoning") return [{ kind: "reasoning", text: textOf(part.text) }];
  const state = isMembers(part.state) ? part.state : {};
  const sections: Section[] = [];
  if (state.input !== undefined) sections.push({ kind: "input", text: textOf(state.input) });
  if (state.error !== undefined) sections.push({ kind: "error", text: errorText(state.error) });
  const output = state.content ?? state.output;
  for (const item of Array.isArray(output) ? output : output === undefined ? [] : [output]) {
    sections.push(outputSection(item));
  }
  if (isMembers(state.metadata) && Object.keys(state.metadata).length > 0) {
    sections.push({ kind: "metadata", text: textOf(state.metadata) });
  }
  return sections.length > 0 ? sections : [{ kind: "metadata", text: textOf(part) }];
}

function outputSection(item: unknown): Section {
  if (!isMembers(item)) return { kind: "output", text: textOf(item) };
  if (typeof item.text === "string") return { kind: "output", text: item.text };
  const source = isMembers(item.source) ? item.source : {};
  const mime = firstString(item.mime, item.mimeType, item.mediaType, source.mime, source.mediaType);
  const name = firstString(item.filename, item.name, item.path, source.path);
  if (mime === "" && name === "" && item.type !== "image" && item.type !== "file") {
    return { kind: "output", text: textOf(item) };
  }
  const bytes = Buffer.byteLength(JSON.stringify(item), "utf8");
  return { kind: "attachment", type: firstString(item.type), mime, name, bytes };
}

function errorText(error: unknown): string {
  return isMembers(error) && typeof error.message === "string" ? error.message : textOf(error);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

function firstString(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === "string") ?? "";
}

function isMembers(value: unknown): value is Members {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
