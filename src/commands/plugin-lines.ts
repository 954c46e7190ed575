import type { PluginInspection } from "../opencode/index.ts";

/** Where the plugin stands, for people. `action` is undefined when nothing was to be done. */
export function pluginLines(
  inspection: PluginInspection,
  action: "none" | "installed" | "updated" | "removed" | undefined,
): readonly string[] {
  const { folder, observed } = inspection;
  if (action === "removed") {
    return [
      `The plugin is removed from ${folder}; receipts of what was pruned stay in OpenCode's database.`,
      ...(observed.answers ? [elsewhere(inspection)] : []),
    ];
  }
  if (action === "none" && inspection.installed.content === "absent") {
    return [`The plugin is not installed in ${folder}; nothing was removed.`];
  }
  return [stateSentence(inspection, action), ...copyLines(inspection), ...publishedLines(inspection)];
}

function stateSentence({ state, folder, installed, observed }: PluginInspection, action?: string): string {
  if (state.state === "failed") return state.problem;
  if (state.state !== "ready") {
    return installed.content === "absent"
      ? "The plugin is not installed; install it with `opencode-prune plugin install`."
      : `The plugin is in ${folder}, but nobody answers; restart OpenCode.`;
  }
  if (state.provider === "published")
    return "The published session pruning plugin answers; opencode-prune uses it.";
  if (!observed.isFromFolder) return "The plugin answers; OpenCode loads it from elsewhere.";
  const done =
    action === "none" ? "was installed already" : action === undefined ? "is installed" : `is ${action}`;
  return `The plugin ${done} in ${folder}, and it answers.`;
}

function copyLines({ installed, bundled }: PluginInspection): readonly string[] {
  const { content, copy } = installed;
  if (content === "other_version") {
    return [
      `It is another version (${copy?.version || "unknown"}) than this program brings (${bundled.version}); replace it with \`opencode-prune plugin update\`.`,
    ];
  }
  if (content === "changed") {
    return [
      "It was changed since it was installed; `opencode-prune plugin update --force` puts the original back.",
    ];
  }
  if (content === "foreign") return ["Something else lies where it would be installed, and stays as it is."];
  return [];
}

function publishedLines({ installed, observed, folder }: PluginInspection): readonly string[] {
  const isBeside = observed.published?.state.status === "active" && installed.content !== "absent";
  return isBeside
    ? [`Ours, in ${folder}, stands back while the published one is active: both speak the same contract.`]
    : [];
}

function elsewhere({ state }: PluginInspection): string {
  return state.state === "ready" && state.provider === "published"
    ? "The published session pruning plugin still answers."
    : "Another copy of it still answers: OpenCode loads it from elsewhere.";
}
