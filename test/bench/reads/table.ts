/** One line of the table: what was measured, what beside, what the ratio has to be, and what it could be at best. */
export interface Line {
  readonly what: string;
  readonly figures: string;
  readonly result: string;
  /** Empty where nothing is asked. */
  readonly wanted: string;
  readonly reached: boolean;
  /** What it was measured against: as a rule bare SQLite on the same rows, without a daemon, a thread or HTTP. */
  readonly limit: string;
}

const HEADINGS = [
  "what",
  "figures",
  "result",
  "wanted",
  "",
  "limit: bare SQLite on the same rows, or what is said",
];

export function printTable(lines: readonly Line[]): void {
  const rows = [
    HEADINGS,
    ...lines.map((line) => [line.what, line.figures, line.result, line.wanted, verdict(line), line.limit]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const [at, row] of rows.entries()) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
    if (at === 0) console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  }
}

function verdict({ wanted, reached }: Line): string {
  if (wanted === "") return "";
  return reached ? "ok" : "MISSED";
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const mb = (value: number): string => `${(value / 1e6).toFixed(1)} MB`;
export const times = (value: number): string => `${value.toFixed(1)} x`;
