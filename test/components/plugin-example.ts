import type { PluginInspection } from "../../src/state/index.ts";
import { exampleHistory } from "./example.ts";
import { type FakePlugin, installedPlugin } from "./fake-plugin.ts";
import { type OpenedScreen, openScreen, type ScreenOptions } from "./open-screen.tsx";

export const FOLDER = "/home/ada/.config/opencode/plugins/opencode-prune";

export const changed = installedPlugin({
  installed: {
    content: "changed",
    copy: { version: "0.1.0", hash: "bbbb" },
    changedFiles: ["index.js", "notes.txt"],
  },
});
export const otherVersion = installedPlugin({
  installed: { content: "other_version", copy: { version: "0.0.9", hash: "cccc" }, changedFiles: [] },
});
export const besidePublished = {
  observed: { answers: true, isFromFolder: true, isPublishedActive: true },
  state: { state: "ready", provider: "published" },
} as const;

/** The app on its sessions, over a plugin that stands so. */
export function openOver(
  inspection: PluginInspection,
  options: ScreenOptions = {},
  prepare?: (plugin: FakePlugin) => void,
): Promise<OpenedScreen> {
  return openScreen({
    columns: 80,
    rows: 24,
    ...options,
    prepare(ports) {
      exampleHistory(ports);
      ports.plugin.inspection = inspection;
      ports.plugin.state = inspection.state;
      prepare?.(ports.plugin);
    },
  });
}
