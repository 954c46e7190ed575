import { expect } from "vitest";
import { cellsOf } from "../../../src/text/index.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Compares what a person sees with a file of `test/terminal/golden`, once nothing is drawn any more.
 * `npx vitest -u` writes the files anew; read what changed before it is committed.
 */
export async function expectGolden(terminal: Terminal, name: string): Promise<void> {
  await terminal.quiet(300);
  await expect(masked(terminal.screen())).toMatchFileSnapshot(`golden/${name}.txt`);
}

const AGE = / *(\d+(s|m|mo) ago|-\d+ (s|min)|\d+(秒|分钟)前)/g;
const FOLDER = /\/\S*\/home\/project */g;

/** The rows without what differs from run to run: the daemon's port and folder, and how long ago something was. */
export function masked(rows: readonly string[]): string {
  const lines = rows.map((row) =>
    row
      .trimEnd()
      .replace(/127\.0\.0\.1:\d+/, "127.0.0.1:PORT")
      .replace(FOLDER, (folder) => "(folder)".padEnd(folder.length))
      .replace(AGE, (age) => "(age)".padStart(cellsOf(age))),
  );
  return `${lines.join("\n")}\n`;
}
