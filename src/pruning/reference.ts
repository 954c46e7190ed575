import type { PartOutline } from "../contract/index.ts";
import type { MessageReference, PartReference } from "../state/ports.ts";

/** What to remember of a part that was selected, so that the same one can be found again. */
export function referenceTo({ sessionID, messageID }: MessageReference, part: PartOutline): PartReference {
  const { index, type, bytes, toolID, created } = part;
  return {
    sessionID,
    messageID,
    index,
    type,
    bytes,
    ...(toolID === undefined ? {} : { toolID }),
    ...(created === undefined ? {} : { created }),
  };
}
