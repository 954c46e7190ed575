import type { PLUGIN_ID } from "../contract/index.ts";
import { companion, type ScreenHost } from "./tui/index.ts";

// Only types come from the contract: its schemas would be 450 kB more to load whenever OpenCode's UI starts.
const id: typeof PLUGIN_ID = "opencode-prune";

/** What OpenCode's own terminal UI loads, once per running UI. */
export default { id, setup: (host: ScreenHost): (() => void) => companion(host) };
