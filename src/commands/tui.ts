import type { GlobalOptions } from "./connection.ts";
import { noTerminal } from "./terminal.ts";

/** `opencode-prune` without a command: the app. */
export async function tui(_options: GlobalOptions): Promise<void> {
  throw noTerminal();
}
