export type PluginState =
  | { readonly state: "unknown" }
  | { readonly state: "ready"; readonly provider: "ours" | "published" }
  | { readonly state: "missing" }
  | { readonly state: "failed"; readonly problem: string };

/** The plugin inside the daemon: whether it is there, and its life. */
export interface PluginPort {
  status(signal?: AbortSignal): Promise<PluginState>;
  /** Copies the plugin into the daemon's global plugins folder and waits until its RPC answers. */
  install(signal?: AbortSignal): Promise<PluginState>;
  /** Everything that can be told without a change. */
  inspect(place: PluginPlace, signal?: AbortSignal): Promise<PluginInspection>;
  /** Rejects with one sentence where the change is refused, or was made and the plugin does not answer. */
  change(change: PluginChange, place: PluginPlace, options?: ChangeOptions): Promise<ChangedPlugin>;
}

/** For every project; or, with a session's folder, for the project that the folder belongs to, alone. */
export interface PluginPlace {
  readonly directory?: string;
}

export type PluginChange = "install" | "update" | "remove";

export interface ChangeOptions {
  /** Also replaces or removes a copy that somebody changed. */
  readonly force?: boolean | undefined;
  /** The hash of a changed copy that the user agreed to lose; another one is still not touched. */
  readonly agreed?: string | undefined;
}

export interface ChangedPlugin {
  /** `none`: it was so already. */
  readonly action: "none" | "installed" | "updated" | "removed";
  /** As it is afterwards. */
  readonly inspection: PluginInspection;
}

/**
 * `absent`: nothing there. `same`: our files, unchanged. `other_version`: files that another version of this
 * program put there, unchanged. `changed`: our plugin, edited by somebody. `foreign`: not put there by us.
 */
export type FolderContent = "absent" | "same" | "other_version" | "changed" | "foreign";

export interface PluginCopy {
  /** As its `package.json` says; empty when it says none. */
  readonly version: string;
  /** SHA-256 of its files, names and contents; the record aside. */
  readonly hash: string;
}

export interface InspectedFolder {
  readonly content: FolderContent;
  /** Of our plugin, whichever version. */
  readonly copy?: PluginCopy;
  /** Of a changed copy: the files that were edited, added or taken away, as far as that can be told. */
  readonly changedFiles: readonly string[];
}

export interface PluginInspection {
  /** Where it is, or would be, installed. */
  readonly folder: string;
  /** The root of the project that it is for; absent when it is for every project. */
  readonly project?: string;
  /** False where the server runs on another machine: its files are not known then, and cannot be changed. */
  readonly isLocal: boolean;
  readonly installed: InspectedFolder;
  /** What this program brings. */
  readonly bundled: PluginCopy;
  readonly observed: {
    /** Whether anybody serves the pruning RPC. */
    readonly answers: boolean;
    /** The daemon knows the copy in this folder, whether it could load it or not. */
    readonly isFromFolder: boolean;
    /** The folder of a copy that the daemon runs, where it is another one than this. */
    readonly elsewhere?: string;
    /** The published plugin is active; ours then stands back. */
    readonly isPublishedActive: boolean;
  };
  readonly state: PluginState;
}
