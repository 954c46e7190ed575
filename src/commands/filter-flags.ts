import type { TechnicalType } from "../contract/index.ts";
import type { PartFilter } from "../pruning/index.ts";

/** The filters as they are written on the command line. */
export interface FilterFlags {
  readonly tools?: boolean;
  readonly reasoning?: boolean;
  readonly tool?: readonly string[];
  /** Bytes. */
  readonly minSize?: number;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly keepLast?: number;
  readonly message?: readonly string[];
}

/** Both kinds, unless one was named; naming a tool names the kind. */
export function partFilter(flags: FilterFlags, now: number): PartFilter {
  const { tools, reasoning, tool, minSize, olderThan, keepLast, message } = flags;
  const types = new Set<TechnicalType>();
  if (tools || tool !== undefined) types.add("tool");
  if (reasoning) types.add("reasoning");
  if (types.size === 0) types.add("tool").add("reasoning");
  return {
    types,
    ...(tool === undefined ? {} : { toolNames: new Set(tool) }),
    ...(minSize === undefined ? {} : { minBytes: minSize }),
    ...(olderThan === undefined ? {} : { before: now - olderThan }),
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(message === undefined ? {} : { messageIDs: new Set(message) }),
  };
}
