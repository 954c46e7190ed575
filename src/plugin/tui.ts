import type { PLUGIN_ID } from "../contract/index.ts";
import { companion, type ScreenHost } from "./tui/index.ts";

// Of the contract only types come into this file: its schemas would add a third of a second to OpenCode's start.
const id: typeof PLUGIN_ID = "opencode-prune";

/** What OpenCode's own terminal UI loads, once per running UI. */
export default { id, setup: (host: ScreenHost): (() => void) => companion(host) };
