import type { SelectRow } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";

/** The ways of selecting many parts at once. */
export function SelectScreen({ state, words }: ScreenProps) {
  return (
    <Frame state={state} title={[{ text: words.screens.select, style: "heading" }]} head={[]}>
      <List
        state={state}
        name="select"
        rows={state.rows.select}
        keyOf={(row) => row.key}
        segmentsOf={(row) => rowSegments(row, words)}
        empty=""
      />
    </Frame>
  );
}

function rowSegments(row: SelectRow, words: Words): readonly Segment[] {
  const text = row.kind === "tool" ? words.select.tool(row.toolName) : words.select[row.kind];
  if (!("parts" in row)) return [{ text, grow: true }];
  return [
    { text, grow: true },
    { text: words.parts(row.parts), cells: 14, align: "end" },
    { text: words.say.bytes(row.bytes), cells: 9, align: "end" },
  ];
}
