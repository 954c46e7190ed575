import type {
  ChangedPlugin,
  ChangeOptions,
  PluginChange,
  PluginInspection,
  PluginPlace,
  PluginPort,
  PluginState,
} from "../../src/state/index.ts";

/** The plugin's life in memory, by the rules of the real one. A held change goes on when the test says so. */
export class FakePlugin implements PluginPort {
  state: PluginState = { state: "ready", provider: "ours" };
  afterInstall: PluginState = { state: "ready", provider: "ours" };
  installs = 0;
  asked = 0;
  inspection: PluginInspection = installedPlugin();
  /** What was inspected, and what was asked for, with the hash that the user agreed to lose. */
  readonly places: PluginPlace[] = [];
  readonly changes: { change: PluginChange; place: PluginPlace; agreed: string | undefined }[] = [];
  inspectFailure: Error | undefined;
  changeFailure: Error | undefined;
  /** While set, `inspect` waits for it, and answers what was there when it was asked. */
  inspecting: Promise<void> | undefined;
  /** While set, `change` waits for it. */
  changing: Promise<void> | undefined;

  async status(): Promise<PluginState> {
    this.asked += 1;
    return this.state;
  }

  async install(): Promise<PluginState> {
    this.installs += 1;
    this.state = this.afterInstall;
    return this.afterInstall;
  }

  async inspect(place: PluginPlace): Promise<PluginInspection> {
    this.places.push(place);
    const found = this.#at(place);
    await this.inspecting;
    if (this.inspectFailure !== undefined) throw this.inspectFailure;
    return found;
  }

  async change(
    change: PluginChange,
    place: PluginPlace,
    { agreed }: ChangeOptions = {},
  ): Promise<ChangedPlugin> {
    this.changes.push({ change, place, agreed });
    await this.changing;
    if (this.changeFailure !== undefined) throw this.changeFailure;
    const before = this.inspection.installed.content;
    this.inspection = change === "remove" ? missingPlugin() : installedPlugin();
    this.state = this.inspection.state;
    const action = change === "remove" ? "removed" : before === "absent" ? "installed" : "updated";
    return { action, inspection: this.#at(place) };
  }

  #at({ directory }: PluginPlace): PluginInspection {
    if (directory === undefined) return this.inspection;
    const folder = `${directory}/.opencode/plugins/opencode-prune`;
    return { ...this.inspection, folder, project: directory };
  }
}

const BROUGHT = { version: "0.1.0", hash: "aaaa" };

/** The plugin as this program brings it, loaded and answering; `more` says what is otherwise. */
export function installedPlugin(more: Partial<PluginInspection> = {}): PluginInspection {
  return {
    folder: "/home/ada/.config/opencode/plugins/opencode-prune",
    isLocal: true,
    installed: { content: "same", copy: BROUGHT, changedFiles: [] },
    bundled: BROUGHT,
    observed: { answers: true, isFromFolder: true, isPublishedActive: false },
    state: { state: "ready", provider: "ours" },
    ...more,
  };
}

export function missingPlugin(more: Partial<PluginInspection> = {}): PluginInspection {
  return installedPlugin({
    installed: { content: "absent", changedFiles: [] },
    observed: { answers: false, isFromFolder: false, isPublishedActive: false },
    state: { state: "missing" },
    ...more,
  });
}
