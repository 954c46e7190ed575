import type { ChangedPlugin, PluginInspection } from "../state/ports.ts";
import { pluginSentences } from "../words/index.ts";
import { words } from "./words.ts";

/** Where the plugin stands, in the app's words and with the commands that do something about it. */
export function pluginLines(
  inspection: PluginInspection,
  action: ChangedPlugin["action"] | undefined,
): readonly string[] {
  return pluginSentences(inspection, action, words, {
    where: `in ${inspection.folder}`,
    install: "install it with `opencode-prune plugin install`",
    update: "replace it with `opencode-prune plugin update`",
    putBack: "`opencode-prune plugin update --force` puts the original back",
  });
}
