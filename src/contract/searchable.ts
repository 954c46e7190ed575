import type { HistoryHit } from "./history.ts";

/** A text that a reader of the history would see. */
export interface Searchable {
  readonly partIndex: number;
  readonly kind: HistoryHit["kind"];
  readonly text: string;
}

/**
 * The texts of a stored message, of whatever type. No attachment, and nothing that a provider put away for itself:
 * only the named members are looked at.
 */
export function* searchableTexts(
  type: string,
  message: unknown,
  includeTechnical: boolean,
): Generator<Searchable> {
  const members = membersOf(message);
  if (type !== "assistant") {
    for (const text of textsOfOther(members)) yield { partIndex: 0, kind: "text", text };
    return;
  }
  const content = Array.isArray(members.content) ? members.content : [];
  for (const [partIndex, one] of content.entries()) {
    const part = membersOf(one);
    if (part.type === "text") {
      for (const text of strings(part.text)) yield { partIndex, kind: "text", text };
    } else if (includeTechnical && part.type === "reasoning") {
      for (const text of strings(part.text)) yield { partIndex, kind: "reasoning", text };
    } else if (includeTechnical && part.type === "tool") {
      for (const text of textsOfTool(part)) yield { partIndex, kind: "tool", text };
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

/** user, synthetic, system and skill have a text, shell a command and its output, compaction a summary. */
function* textsOfOther(members: Members): Generator<string> {
  for (const name of ["text", "description", "name", "command", "summary", "recent"]) {
    yield* strings(members[name]);
  }
  yield* strings(membersOf(members.output).output);
  yield* strings(membersOf(members.error).message);
}

function* textsOfTool(part: Members): Generator<string> {
  const state = membersOf(part.state);
  yield* strings(part.name);
  yield* leaves(state.input);
  for (const one of Array.isArray(state.content) ? state.content : []) {
    const content = membersOf(one);
    if (content.type === "text") yield* strings(content.text);
  }
  yield* strings(membersOf(state.error).message);
}

/** Every string and number of a tool's arguments, however deep. */
function* leaves(value: unknown): Generator<string> {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") yield one;
    else if (typeof one === "number") yield String(one);
    else if (one !== null && typeof one === "object") open.push(...Object.values(one).reverse());
  }
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
}

function membersOf(value: unknown): Members {
  return value !== null && typeof value === "object" ? (value as Members) : {};
}
