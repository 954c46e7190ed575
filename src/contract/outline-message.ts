import { LABEL_MEMBERS, type MessageOutline } from "./outline.ts";
import { outlineTuple, type PartFacts } from "./outline-tuple.ts";
import { fromTuple } from "./outline-wire.ts";
import { partBytes } from "./technical.ts";

interface LooseMessage {
  readonly id: string;
  readonly type?: unknown;
  readonly time: { readonly created: number; readonly completed?: number | undefined };
  readonly content: readonly LoosePart[];
}

interface LoosePart {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The outline of an assistant message whose whole content is at hand: the same as the plugin's own. */
export function outlineMessage(message: LooseMessage): MessageOutline {
  const { id, type: _, ...stored } = message;
  return fromTuple(
    outlineTuple(
      {
        messageID: id,
        created: message.time.created,
        completed: message.time.completed,
        storedBytes: partBytes(stored),
        partCount: message.content.length,
      },
      message.content.map(factsOfPart),
    ),
  );
}

function factsOfPart(part: LoosePart, index: number): PartFacts {
  const state = part.state as { status?: unknown; input?: unknown } | undefined;
  const created = (part.time as { created?: unknown } | undefined)?.created;
  const label = part.type === "tool" ? describingInput(state?.input) : undefined;
  return [index, partBytes(part), [part.type, created, part.id, part.name, state?.status], label];
}

/** The string in a tool's input that says best what the tool did. */
function describingInput(input: unknown): unknown {
  if (input === null || typeof input !== "object") return input;
  const members = input as Record<string, unknown>;
  const named = LABEL_MEMBERS.find((member) => typeof members[member] === "string");
  if (named !== undefined) return members[named];
  return Object.values(members).find((member) => typeof member === "string");
}
