import type { BlockedReason, MessageOutline, TechnicalType, Unprunable } from "../contract/index.ts";
import type { PluginPort } from "./plugin-port.ts";
import type { SearchPort } from "./search-port.ts";

export type * from "./plugin-port.ts";
export type * from "./search-port.ts";

/**
 * What the stores need from the outside. `commands` hands the implementations in; the stores and the
 * components never learn what is behind them.
 */
export interface Ports {
  readonly history: HistoryPort;
  readonly pruning: PruningPort;
  readonly plugin: PluginPort;
  /** Without it, whole sessions cannot be cleaned and the screen does not offer it. */
  readonly cleanup?: CleanupPort;
  /** Without it, content cannot be searched and the screen does not offer it. */
  readonly search?: SearchPort;
  /** Without it, nothing is remembered from one start to the next. */
  readonly preferences?: PreferencesPort;
}

// ── History: what the daemon stores, as far as it is known ──────────────────────────────────────────────

export interface HistoryPort {
  /** The current knowledge. A new object whenever something changed; unchanged sessions keep their identity. */
  snapshot(): HistorySnapshot;
  /** Calls back after the snapshot changed, at most once a frame. Returns the way to stop it. */
  onChange(listener: () => void): () => void;
  /** Calls back for each thing worth telling the user, as it happens. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** The sessions on the screen, in order: they are read first. */
  show(sessionIDs: readonly string[]): void;
  /** Keeps one session's outline read and current until the returned function is called. */
  follow(sessionID: string): () => void;
  /** Reads everything visible again. */
  refresh(): void;
  /** Reads one message afresh, with its content. Never from disk. */
  message(reference: MessageReference, signal?: AbortSignal): Promise<MessageContent>;
}

export interface HistorySnapshot {
  readonly server: string;
  readonly connection: ConnectionState;
  /** False until the session list was read once. */
  readonly listed: boolean;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  readonly outlines: ReadonlyMap<string, SessionOutline>;
  /** Where the cache stands; absent while nothing is known of it. */
  readonly cache?: CacheState;
  /** Who answers the reads now; absent while nothing was read. */
  readonly reads?: ReadsThrough;
}

/** `plugin`: our plugin's reading RPC. `native`: the daemon's own API, with whole messages over the wire. */
export type ReadsThrough = "plugin" | "native";

export interface CacheState {
  /** `kept`: written to disk; `set_aside`: a damaged, foreign or newer file was put aside; `off`: memory only. */
  readonly state: "kept" | "set_aside" | "off";
  /** Why it is not kept, in one sentence. */
  readonly problem?: string;
}

export interface ConnectionState {
  readonly phase: "connecting" | "live" | "lost" | "reconnecting" | "reconciling";
  /** How many attempts in a row have failed. */
  readonly attempt: number;
  /** When the next attempt starts, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Why the connection is not live, in one sentence. */
  readonly problem?: string;
}

export type SessionActivity = "idle" | "running" | "suspended" | "reverted" | "compacting";

export interface SessionSummary {
  readonly sessionID: string;
  readonly title: string;
  readonly directory: string;
  readonly projectID: string;
  readonly parentID?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
  readonly activity: SessionActivity;
  /** Known once the session's outline or usage was read. */
  readonly messages?: number;
  readonly storedBytes?: number;
  readonly technical?: TechnicalTotals;
  /** False while what is shown comes from the cache, or an invalidation has not been read again yet. */
  readonly confirmed: boolean;
  /** A read of it is under way or queued. */
  readonly refreshing: boolean;
}

export interface TechnicalTotals {
  readonly parts: number;
  readonly bytes: number;
}

export interface SessionOutline {
  readonly sessionID: string;
  /** Assistant messages, oldest first. */
  readonly messages: readonly MessageOutline[];
  readonly confirmed: boolean;
  readonly refreshing: boolean;
  /** Why it could not be read, in one sentence. */
  readonly problem?: string;
  /** Messages that were invalidated and are not read again yet. */
  readonly refreshingMessages: ReadonlySet<string>;
}

export interface MessageReference {
  readonly sessionID: string;
  readonly messageID: string;
}

/** A message with its content, parsed. The parts are the daemon's; nothing in them is sanitised. */
export interface MessageContent extends MessageReference {
  readonly revision: string;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}

export type Notice = {
  /** Milliseconds since the epoch. */
  readonly at: number;
} & (
  | {
      readonly kind: "pruned";
      readonly sessionID: string;
      readonly messageID: string;
      readonly byUs: boolean;
    }
  | { readonly kind: "connected" }
  | { readonly kind: "lost"; readonly problem: string }
  | { readonly kind: "reconciled"; readonly sessions: number; readonly reread: number }
  /** Foreign text, one sentence. */
  | { readonly kind: "problem"; readonly problem: string }
);

// ── Pruning: select → preview → confirm → prune → re-read ───────────────────────────────────────────────

/** A part as a user selected it: enough to find the same one again in a fresh read, or to find that one cannot. */
export interface PartReference extends MessageReference {
  readonly index: number;
  readonly type: TechnicalType;
  readonly bytes: number;
  readonly toolID?: string;
  readonly created?: number;
}

export interface PruningPort {
  /** Reads each message of the selection afresh, finds the parts again, and says what would go and what would stay. */
  plan(
    selection: readonly PartReference[],
    signal?: AbortSignal,
    onProgress?: (progress: PlanProgress) => void,
  ): Promise<PrunePlan>;
  /** One transaction a message, many messages a call. Stops between calls when the signal aborts. Never throws. */
  prune(plan: PrunePlan, options: PruneOptions): Promise<PruneReport>;
}

/** How far the fresh reads of a plan have come. The unit is messages, or sessions where whole sessions are planned. */
export interface PlanProgress {
  readonly done: number;
  readonly total: number;
}

export interface PlannedMessage extends MessageReference {
  readonly directory: string;
  readonly revision: string;
  readonly goes: readonly PlannedPart[];
  /** No technical part stays. */
  readonly takesAll: boolean;
  readonly stays: { readonly parts: number; readonly bytes: number };
}

export interface PlannedPart {
  readonly index: number;
  readonly type: TechnicalType;
  readonly bytes: number;
  readonly toolName?: string;
  readonly label: string;
}

export interface PrunePlan {
  readonly messages: readonly PlannedMessage[];
  /** What was selected but will not be asked for, with the reason. */
  readonly refused: readonly Refusal[];
  readonly parts: number;
  readonly bytes: number;
}

export interface Refusal extends MessageReference {
  /** How many selected parts this concerns. */
  readonly parts: number;
  readonly reason: RefusalReason;
}

export type RefusalReason =
  | BlockedReason
  /** Two parts match, or none does. */
  | "ambiguous"
  | "vanished"
  | "incomplete"
  /** The daemon cannot work in the session's folder, as where it is gone: nobody can be asked there. */
  | "folder_unusable"
  /** The daemon could not be reached, or answered something else than the contract. What happened is unknown. */
  | "unknown_outcome";

export interface PruneOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PruneProgress) => void;
}

export interface PruneProgress {
  readonly messagesDone: number;
  readonly messagesTotal: number;
  readonly partsPruned: number;
  readonly bytesPruned: number;
  /** Milliseconds since the first request. */
  readonly elapsed: number;
}

export interface PruneReport {
  readonly prunedParts: number;
  readonly prunedMessages: number;
  readonly prunedBytes: number;
  /** Messages that were planned and not asked for, because the caller stopped or the server was lost. */
  readonly skippedMessages: number;
  readonly refused: readonly Refusal[];
  /** It was cut short: something was skipped, or the server was lost. */
  readonly stopped: boolean;
}

// ── Cleaning whole sessions ─────────────────────────────────────────────────────────────────────────────

export interface CleanupPort {
  /** Reads what the sessions hold afresh and says what a cleanup would ask for. Deletes nothing. */
  plan(
    sessionIDs: readonly string[],
    signal?: AbortSignal,
    onProgress?: (progress: PlanProgress) => void,
  ): Promise<CleanupPlan>;
  /** Asks for everything in the plan. Stops between requests when the signal aborts. Gets back the object that `plan` returned. */
  run(plan: CleanupPlan, options: PruneOptions): Promise<PruneReport>;
  /** The cleanups of this server that were cut off, or stopped with something left, oldest first. Deletes nothing. */
  interrupted?(): readonly InterruptedCleanup[];
  /**
   * Sends what is left of an interrupted cleanup, the very same requests. Gets back the object that `interrupted`
   * returned. Rejects when somebody else resumed or discarded it meanwhile.
   */
  resume?(cleanup: InterruptedCleanup, options: PruneOptions): Promise<PruneReport>;
  /** Forgets an interrupted cleanup. Answers false when it is none any more. */
  discard?(cleanup: InterruptedCleanup): boolean;
  /**
   * Calls back with one sentence for what a report has no place for: why a run stopped, or cannot be resumed. Returns
   * the way to stop it.
   */
  onProblem?(listener: (problem: string) => void): () => void;
}

/** A cleanup that nobody works on and that is not finished. */
export interface InterruptedCleanup {
  readonly jobID: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** `unknown`: it was cut off, and what happened has to be read. `more_to_do`: it was left in order. */
  readonly state: "more_to_do" | "unknown";
  /** What has no outcome yet. */
  readonly left: {
    readonly sessions: number;
    readonly messages: number;
    readonly parts: number;
    readonly bytes: number;
  };
}

export interface CleanupPlan {
  /** In the order in which they were asked about. */
  readonly sessions: readonly CleanupSession[];
  /** How many requests will be sent. */
  readonly requests: number;
  readonly messages: number;
  readonly parts: number;
  readonly bytes: number;
  /** Why this cleanup could not be resumed if it were cut off, in one sentence; absent when it could. */
  readonly notDurable?: string;
}

export interface CleanupSession {
  readonly sessionID: string;
  /** What will be asked for. All zero when the session is refused. */
  readonly eligible: { readonly messages: number; readonly parts: number; readonly bytes: number };
  /** Messages with technical parts that will not be asked for, by reason. */
  readonly skipped: readonly {
    readonly reason: Unprunable;
    readonly messages: number;
    readonly parts: number;
    readonly bytes: number;
  }[];
  /** Why nothing of this session can be pruned now. */
  readonly refused?: RefusalReason;
}

// ── What is remembered ──────────────────────────────────────────────────────────────────────────────────

export interface PreferencesPort {
  load(server: string): Preferences | undefined;
  /** Called when the user leaves. Losing it loses nothing but comfort, so it may not throw. */
  save(server: string, preferences: Preferences): void;
}

export interface Preferences {
  readonly sessionSort: SessionSort;
  readonly sessionFilter: string;
  /** The session that the cursor was on. */
  readonly sessionID?: string;
  readonly partSort: PartSort;
}

export const SESSION_SORTS = [
  "technical",
  "share",
  "parts",
  "messages",
  "updated",
  "title",
  "location",
] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

export const PART_SORTS = ["oldest", "newest", "largest"] as const;
export type PartSort = (typeof PART_SORTS)[number];
