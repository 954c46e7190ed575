import type { GlobalOptions } from "./connection.ts";
import type { DemoConnection } from "./demo.ts";
import { noTerminal } from "./terminal.ts";

/** `opencode-prune` without a command: the app on the server that the options name. */
export async function tui(_options: GlobalOptions): Promise<void> {
  throw noTerminal();
}

/** The app on a server that is known already; resolves when the user quits. */
export async function openApp(_connection: DemoConnection): Promise<void> {
  throw noTerminal();
}
