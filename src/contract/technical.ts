/** The kinds of part that pruning may delete. */
export const TECHNICAL_TYPES = ["tool", "reasoning"] as const;
export type TechnicalType = (typeof TECHNICAL_TYPES)[number];

export function isTechnicalType(type: unknown): type is TechnicalType {
  return type === "tool" || type === "reasoning";
}

/** The size of a part: UTF-8 bytes of its JSON. */
export function partBytes(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(part), "utf8");
}

/** A tool part has settled, and so may be pruned, when its status is one of these. */
export function isSettledStatus(status: unknown): status is "completed" | "error" {
  return status === "completed" || status === "error";
}
