import type { ReactNode } from "react";
import { type AppState, bodyHeight, type ListName } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";
import { useView } from "./view-context.ts";

interface ListProps<Row> {
  readonly state: AppState;
  readonly name: ListName;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly segmentsOf: (row: Row) => readonly Segment[];
  /** Stands in for the rows where there are none. */
  readonly empty: string;
}

/** The rows of a list that are on the screen, and no other. */
export function List<Row>({ state, name, rows, keyOf, segmentsOf, empty }: ListProps<Row>): ReactNode {
  const { isLinear, words } = useView();
  const { cursor, top } = state.lists[name];
  const row = rows[cursor];
  if (row === undefined) return <Line segments={[MARGIN, { text: empty, style: "quiet", grow: true }]} />;
  if (isLinear) {
    return <Line segments={[{ text: words.spoken.row(cursor + 1, rows.length) }, ...segmentsOf(row)]} />;
  }
  return rows
    .slice(top, top + bodyHeight(state, name))
    .map((row, index) => (
      <Line
        key={keyOf(row)}
        cursor={top + index === cursor}
        segments={[{ text: top + index === cursor ? "▸" : "", cells: 1 }, ...segmentsOf(row)]}
      />
    ));
}

/** Marks what changed under the user's eyes. */
export function changedSegment(isChanged: boolean, words: Words): Segment {
  return {
    text: isChanged ? "*" : "",
    spoken: isChanged ? words.spoken.changed : "",
    cells: 1,
    style: "warning",
  };
}

/** Where the cursor's mark stands in other rows. */
export const MARGIN: Segment = { text: "", cells: 1 };
