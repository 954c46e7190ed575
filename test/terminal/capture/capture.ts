import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { drawSvg } from "./svg.ts";

/** Opens the demo in a terminal, does what a person would, and writes the pictures of the README to `folder`. */
export async function capture(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const terminal = openTerminal({ arguments: ["demo"], columns: 100, rows: 20, environment: { TZ: "UTC" } });
  try {
    await terminal.until((rows) => rows.filter((row) => /\d+% \w+ *$/.test(row)).length === 12, 120_000);
    await terminal.until(/│ live │ plugin: ready │ reads: plugin │ cache: kept *$/m);
    await picture(terminal, join(folder, "screen.svg"), "The sessions of a server, the heaviest first");

    await terminal.press("Enter");
    await terminal.until("[ ]");
    await terminal.press("t", "A", "p");
    await terminal.until("It is irreversible.");
    await picture(terminal, join(folder, "preview.svg"), "What a prune would delete, before it is confirmed");

    await terminal.press("q");
    await terminal.ended;
  } finally {
    await terminal.close();
  }
}

async function picture(terminal: Terminal, path: string, title: string): Promise<void> {
  await terminal.quiet(500);
  await writeFile(path, drawSvg(terminal.cells(), title));
  process.stdout.write(`captured: ${path}\n`);
}
