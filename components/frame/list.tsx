import type { ReactNode } from "react";
import { type AppState, bodyHeight, type ListName } from "../../src/state/index.ts";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";

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
  const { cursor, top } = state.lists[name];
  if (rows.length === 0) return <Line segments={[MARGIN, { text: empty, style: "quiet", grow: true }]} />;
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

/** Where the cursor's mark stands in other rows. */
export const MARGIN: Segment = { text: "", cells: 1 };
