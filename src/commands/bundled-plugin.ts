import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the plugin that this program brings: `dist/plugin`, beside the bundled `dist/cli.js`. */
export function bundledPlugin(): string {
  return join(dirname(fileURLToPath(import.meta.url)), "plugin");
}
