import { cellsOf, oneLine, pad, sanitiseLine } from "../text/index.ts";

export interface Column {
  readonly title: string;
  readonly align?: "start" | "end";
  /** Cells that a text of this column may take at most. */
  readonly most?: number;
}

const GAP = "  ";
const MOST = 120;

/** Lines of a table, the titles first. The cells may hold foreign text: it is sanitised and cut here. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const texts = [
    columns.map((column) => column.title),
    ...rows.map((row) =>
      columns.map((column, position) => oneLine(row[position] ?? "", column.most ?? MOST)),
    ),
  ];
  const widths = columns.map((_, position) =>
    texts.reduce((widest, row) => Math.max(widest, cellsOf(row[position] ?? "")), 0),
  );
  return texts.map((row) =>
    columns
      .map((column, position) => pad(row[position] ?? "", widths[position] ?? 0, column.align))
      .join(GAP)
      .trimEnd(),
  );
}

/** Lines for people. Any of them may hold foreign text: all are sanitised here. */
export function printLines(lines: readonly string[], output: NodeJS.WriteStream = process.stdout): void {
  output.write(lines.map((line) => `${sanitiseLine(line)}\n`).join(""));
}
