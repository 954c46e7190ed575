import type { PartOutline, Unprunable } from "../contract/index.ts";
import type { DetailDocument, DocumentPosition } from "./detail-document.ts";
import type { Binding, KeyPlace } from "./key-table.ts";
import type { ListView } from "./list-view.ts";
import type { MarkedExcerpt } from "./marked-excerpt.ts";
import type { PartListRow, PartsShown } from "./part-rows.ts";
import type { PlanRow } from "./plan-rows.ts";
import type {
  ChangedPlugin,
  CleanupPlan,
  CleanupSession,
  FoundText,
  HistorySnapshot,
  InterruptedCleanup,
  Notice,
  PartReference,
  PartSort,
  PlanProgress,
  PluginChange,
  PluginInspection,
  PluginState,
  PrunePlan,
  PruneProgress,
  PruneReport,
  ReadsThrough,
  SessionSort,
  SessionSummary,
} from "./ports.ts";
import type { Selection } from "./selection.ts";

/** What the screen knows. One object, replaced as a whole with every change; nothing in it is a word or a colour. */
export interface AppState {
  readonly size: Size;
  /** Milliseconds since the epoch; moves on while the app is open. */
  readonly now: number;
  readonly history: HistorySnapshot;
  readonly plugin: PluginState;
  /** What is being done to the plugin. */
  readonly changingPlugin: PluginChange | undefined;
  /** Whether whole sessions can be cleaned at all. */
  readonly canClean: boolean;
  /** Whether interrupted cleanups can be looked at and resumed. */
  readonly canResume: boolean;
  /** Whether content can be searched. */
  readonly canSearch: boolean;
  /** Whether the app can be put in the background. */
  readonly canSuspend: boolean;
  /** From the sessions, which are always there, to what is on top. */
  readonly screens: readonly ScreenName[];
  readonly sessionSort: SessionSort;
  readonly sessionFilter: string;
  readonly partSort: PartSort;
  readonly parts: PartsView | undefined;
  readonly selection: SelectionView;
  readonly detail: DetailView | undefined;
  readonly work: Work;
  readonly summary: SummaryView | undefined;
  readonly found: FoundView | undefined;
  readonly interrupted: InterruptedView;
  readonly pluginView: PluginView | undefined;
  readonly prompt: Prompt | undefined;
  readonly message: Message | undefined;
  /** What happened, oldest first; the oldest are dropped. */
  readonly notices: readonly { readonly number: number; readonly notice: Notice }[];
  readonly rows: Rows;
  readonly lists: Readonly<Record<ListName, ListView>>;
  /** When a session or message last changed under the user's eyes, by its id. */
  readonly changes: ReadonlyMap<string, number>;
  /** Set once the app is about to leave. */
  readonly leaving: "no" | "asked" | "stopping" | "left";
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export type ScreenName =
  | "sessions"
  | "parts"
  | "detail"
  | "select"
  | "preview"
  | "cleanup"
  | "interrupted"
  | "progress"
  | "summary"
  | "found"
  | "events"
  | "plugin"
  | "help";

/** The screens whose body is a list of rows. */
export interface Rows {
  readonly sessions: readonly SessionSummary[];
  readonly parts: readonly PartListRow[];
  readonly select: readonly SelectRow[];
  readonly preview: readonly PlanRow[];
  readonly cleanup: readonly CleanupSession[];
  readonly interrupted: readonly InterruptedRow[];
  readonly summary: readonly PlanRow[];
  readonly found: readonly FoundRow[];
  readonly events: readonly EventRow[];
  readonly help: readonly HelpRow[];
}
export type ListName = keyof Rows;

export interface PartsView {
  readonly sessionID: string;
  readonly shown: PartsShown;
  readonly sort: PartSort;
  readonly filter: string;
}

/** The selection and its version: a new object whenever the selection changed. */
export interface SelectionView {
  readonly model: Selection;
  readonly version: number;
}

/** One way of selecting several parts at once. */
export type SelectRow = { readonly key: string } & (
  | { readonly kind: "tools" | "reasoning"; readonly parts: number; readonly bytes: number }
  | { readonly kind: "tool"; readonly toolName: string; readonly parts: number; readonly bytes: number }
  | { readonly kind: "size" | "age" | "invert" | "none" }
);

/** A search of content, and what it has found so far. */
export interface FoundView {
  readonly text: string;
  /** The one session that is searched; absent when all are. */
  readonly sessionID?: string;
  /** `full`: it found more than is held on to, and stopped. */
  readonly phase: "searching" | "done" | "stopped" | "full" | "failed";
  readonly hits: readonly FoundRow[];
  readonly scanned: number;
  readonly skipped: number;
  /** Who did the looking, in the order in which they came in. */
  readonly through: readonly ReadsThrough[];
  readonly problem?: string;
}

/** A message that holds the text. The excerpt is absent once what it was taken from may have been pruned. */
export type FoundRow = Omit<FoundText, "excerpt"> & {
  readonly key: string;
  readonly excerpt?: MarkedExcerpt;
};

export interface InterruptedView {
  readonly jobs: readonly InterruptedCleanup[];
  /** The user looked at them and left them for later. */
  readonly isPutOff: boolean;
  /** What was asked for and is not agreed to yet. */
  readonly question?: { readonly kind: "resume" | "discard"; readonly job: InterruptedCleanup };
}

export interface InterruptedRow {
  readonly key: string;
  readonly job: InterruptedCleanup;
}

/** The plugin as its own screen shows it. */
export interface PluginView {
  /** The folder of the session that the screen was opened on; its project can be looked at instead of all. */
  readonly directory?: string;
  readonly isForProject: boolean;
  readonly phase: "reading" | "ready" | "failed";
  readonly inspection?: PluginInspection;
  /** What the last key did, until the next look. */
  readonly action?: ChangedPlugin["action"];
  /** Why the plugin could not be looked at, or the last key did not do what it was to: foreign text. */
  readonly problem?: string;
  /** What was asked for and is not agreed to yet. */
  readonly question?: PluginQuestion;
}

export interface PluginQuestion {
  readonly change: "update" | "remove";
  /** The hash of a copy that somebody changed, which would be lost. */
  readonly loses?: string;
}

export interface EventRow {
  readonly key: string;
  readonly notice: Notice;
}

export interface HelpRow {
  readonly key: string;
  readonly place: KeyPlace | "everywhere";
  /** Absent on the row that names the place. */
  readonly binding?: Binding;
}

export interface DetailView {
  readonly sessionID: string;
  readonly messageID: string;
  /** See `partIdentity`. */
  readonly identity: string;
  /** Where it is in the content that a plan was made of. */
  readonly planned?: { readonly revision: string; readonly index: number };
  /** What the lists knew of the part when it was opened. */
  readonly part: Pick<PartOutline, "type" | "bytes" | "toolName">;
  readonly phase: "reading" | "ready" | "failed" | "vanished";
  readonly since: number;
  readonly document?: DetailDocument;
  readonly position: DocumentPosition;
  readonly problem?: string;
  readonly search: string;
  /** The line of the match that was found last. */
  readonly found?: number;
}

/** What is being prepared or done. Only one thing at a time. */
export type Work =
  | { readonly kind: "none" }
  | {
      readonly kind: "planning";
      readonly asked: Asked;
      readonly since: number;
      readonly progress?: PlanProgress;
    }
  | ({
      readonly kind: "planned";
      readonly asked: Asked;
      /** Messages or sessions that changed after they were read for this plan: they will be refused. */
      readonly outdated: ReadonlySet<string>;
      readonly confirmation: Confirmation;
    } & Plan)
  | {
      readonly kind: "failed";
      readonly asked: Asked;
      readonly during: "planning" | "running";
      readonly problem: string;
    }
  | {
      readonly kind: "running";
      /** Absent when an interrupted cleanup is resumed. */
      readonly asked?: Asked;
      readonly since: number;
      readonly bytes: number;
      readonly parts: number;
      readonly progress?: PruneProgress;
      readonly stopping: boolean;
    };

export type Plan =
  | { readonly what: "prune"; readonly plan: PrunePlan; readonly closed: ReadonlySet<string> }
  | { readonly what: "cleanup"; readonly plan: CleanupPlan };

/** `y`, and for much at once the number of parts as well. */
export interface Confirmation {
  readonly typed: boolean;
  readonly parts: number;
}

export interface SummaryView {
  readonly report: PruneReport;
  /** What can sensibly be asked for again; absent where nothing can. */
  readonly again?: Asked;
}

/** What a plan was asked for. */
export type Asked =
  | { readonly what: "prune"; readonly references: readonly PartReference[] }
  | { readonly what: "cleanup"; readonly sessionIDs: readonly string[] };

export interface Prompt {
  readonly kind: "filter" | "search" | "size" | "age" | "confirm" | "content" | "sessionContent";
  readonly text: string;
  /** What was there before, for Esc. */
  readonly before: string;
  /** The last input could not be used. */
  readonly refused: boolean;
}

/** One sentence for the user, until the next key. `text` is foreign. */
export type Message =
  | { readonly kind: "vanished"; readonly parts: number }
  | { readonly kind: "unselectable"; readonly reason: Unprunable }
  | { readonly kind: "nothing_selected" }
  | { readonly kind: "nothing_added" }
  | { readonly kind: "plugin_changed"; readonly change: PluginChange }
  | { readonly kind: "plugin_not_changed"; readonly change: PluginChange; readonly text: string }
  | { readonly kind: "not_found" }
  | { readonly kind: "no_such_session"; readonly text: string }
  | { readonly kind: "busy" }
  | { readonly kind: "nothing_technical" }
  | { readonly kind: "discarded" }
  | { readonly kind: "not_interrupted" }
  | { readonly kind: "cleanup_failed"; readonly text: string }
  | { readonly kind: "problem"; readonly text: string };
