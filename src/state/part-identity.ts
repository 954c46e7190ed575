import type { PartOutline } from "../contract/index.ts";

/**
 * What tells a part from the others of its message. Positions shift when earlier parts are pruned, so they are no
 * part of it: a tool is known by its id, reasoning by its time and size. Two parts that share an identity are
 * selected together and refused as ambiguous when the prune is planned.
 */
export function partIdentity(part: Pick<PartOutline, "type" | "toolID" | "created" | "bytes">): string {
  if (part.type === "tool" && part.toolID !== undefined) return `t:${part.toolID}`;
  return `${part.type === "tool" ? "u" : "r"}:${part.created ?? "-"}:${part.bytes}`;
}
