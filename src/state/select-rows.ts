import type { PartOutline } from "../contract/index.ts";
import type { SelectRow } from "./app-state.ts";
import { isSelectable, type PartListRow } from "./part-rows.ts";

/** The ways of selecting several of the shown parts at once: by kind, by tool, heaviest tool first, and the rest. */
export function selectRows(rows: readonly PartListRow[]): readonly SelectRow[] {
  const kinds = { tools: { parts: 0, bytes: 0 }, reasoning: { parts: 0, bytes: 0 } };
  const tools = new Map<string, { parts: number; bytes: number }>();
  for (const row of rows) {
    if (row.kind !== "part" || !isSelectable(row.message)) continue;
    count(kinds[row.part.type === "tool" ? "tools" : "reasoning"], row.part);
    if (row.part.toolName === undefined) continue;
    const tool = tools.get(row.part.toolName) ?? { parts: 0, bytes: 0 };
    tools.set(row.part.toolName, count(tool, row.part));
  }
  const byTool = [...tools].sort(([, one], [, other]) => other.bytes - one.bytes);
  return [
    { key: "tools", kind: "tools", ...kinds.tools },
    { key: "reasoning", kind: "reasoning", ...kinds.reasoning },
    { key: "size", kind: "size" },
    { key: "age", kind: "age" },
    { key: "invert", kind: "invert" },
    { key: "none", kind: "none" },
    ...byTool.map(
      ([toolName, totals]): SelectRow => ({ key: `tool ${toolName}`, kind: "tool", toolName, ...totals }),
    ),
  ];
}

function count(
  totals: { parts: number; bytes: number },
  part: PartOutline,
): { parts: number; bytes: number } {
  totals.parts += 1;
  totals.bytes += part.bytes;
  return totals;
}
