import type { AppState, ScreenName } from "./app-state.ts";
import type { PluginInspection } from "./ports.ts";
import { isLooking, isRetryable, isRunning, topScreen } from "./screens.ts";

/** A key as the terminal reports it: a character, or one of these names. */
export type KeyName = string;

/** Where a binding works. A prompt takes every key while it is open. */
export type KeyPlace = ScreenName | "prompt";

export interface Binding {
  readonly action: ActionName;
  readonly keys: readonly KeyName[];
  readonly on: readonly KeyPlace[] | "everywhere";
  /** The key does nothing, and is not offered, where this is false. */
  readonly works?: (state: AppState) => boolean;
  /** Where this is false the app has no such key at all, and the help does not name it. */
  readonly exists?: (state: AppState) => boolean;
  /** Its place in the key line, lowest first. Without one it is named in the help alone. */
  readonly rank?: number;
}

export type ActionName =
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "open"
  | "choose"
  | "back"
  | "toggle"
  | "toggleMessage"
  | "selectShown"
  | "unselectAll"
  | "invert"
  | "chooseSelection"
  | "selectLarger"
  | "selectOlder"
  | "showTools"
  | "showReasoning"
  | "showTechnical"
  | "sort"
  | "filter"
  | "preview"
  | "confirm"
  | "fold"
  | "clean"
  | "cleanShown"
  | "stop"
  | "retry"
  | "search"
  | "nextMatch"
  | "previousMatch"
  | "searchContent"
  | "stopSearch"
  | "interrupted"
  | "resume"
  | "discard"
  | "agree"
  | "events"
  | "refresh"
  | "install"
  | "plugin"
  | "installHere"
  | "update"
  | "remove"
  | "switchPlace"
  | "help"
  | "quit"
  | "suspend"
  | "accept"
  | "cancel"
  | "erase"
  | "eraseAll";

const LISTS: readonly KeyPlace[] = [
  "sessions",
  "parts",
  "detail",
  "select",
  "preview",
  "cleanup",
  "interrupted",
  "summary",
  "found",
  "events",
  "help",
];
const ABOVE_SESSIONS: readonly KeyPlace[] = [...LISTS.filter((place) => place !== "sessions"), "plugin"];

/** Every key of the app. The handling, the key line and the help are all made from this. */
export const BINDINGS: readonly Binding[] = [
  { action: "confirm", keys: ["y"], on: ["preview", "cleanup"], works: canConfirm, rank: 0 },
  { action: "stop", keys: ["escape"], on: ["progress"], works: isWorking, rank: 0 },
  { action: "agree", keys: ["y"], on: ["interrupted", "plugin"], works: isAsked, rank: 0 },
  { action: "stopSearch", keys: ["escape"], on: ["found"], works: isLooking, rank: 0 },
  { action: "resume", keys: ["r"], on: ["interrupted"], works: canResume, rank: 1 },
  { action: "discard", keys: ["d"], on: ["interrupted"], works: canDiscard, rank: 2 },
  {
    action: "open",
    keys: ["enter"],
    on: ["sessions", "parts", "preview", "summary", "found", "events"],
    rank: 3,
  },
  { action: "choose", keys: ["enter", "space"], on: ["select"], rank: 1 },
  { action: "back", keys: ["escape"], on: ABOVE_SESSIONS, works: canGoBack, rank: 90 },
  { action: "back", keys: ["escape"], on: ["sessions"], works: isFiltered, rank: 90 },
  { action: "toggle", keys: ["space"], on: ["parts"], rank: 1 },
  { action: "fold", keys: ["space"], on: ["preview"], works: hasPlan, rank: 4 },
  { action: "toggleMessage", keys: ["a"], on: ["parts"], rank: 6 },
  { action: "selectShown", keys: ["A"], on: ["parts"], rank: 4 },
  { action: "chooseSelection", keys: ["+"], on: ["parts"], rank: 7 },
  { action: "selectLarger", keys: [">"], on: ["parts"] },
  { action: "selectOlder", keys: ["<"], on: ["parts"] },
  { action: "invert", keys: ["*"], on: ["parts"] },
  { action: "unselectAll", keys: ["-"], on: ["parts"], works: hasSelection },
  { action: "preview", keys: ["p"], on: ["sessions"], works: hasSelection, rank: 2 },
  { action: "preview", keys: ["p"], on: ["parts"], rank: 2 },
  { action: "retry", keys: ["r"], on: ["summary"], works: isRetryable, rank: 2 },
  { action: "clean", keys: ["c"], on: ["sessions", "parts"], exists: canClean, works: hasSession, rank: 8 },
  { action: "cleanShown", keys: ["C"], on: ["sessions"], exists: canClean, works: hasSession },
  { action: "showTools", keys: ["t"], on: ["parts"], rank: 9 },
  { action: "showReasoning", keys: ["r"], on: ["parts"], rank: 9 },
  { action: "showTechnical", keys: ["x"], on: ["parts"], rank: 9 },
  {
    action: "interrupted",
    keys: ["u"],
    on: ["sessions"],
    exists: ({ canResume }) => canResume,
    works: hasInterrupted,
    rank: 1,
  },
  {
    action: "searchContent",
    keys: ["ctrl-f"],
    on: ["sessions", "parts", "found"],
    exists: ({ canSearch }) => canSearch,
    rank: 7,
  },
  { action: "sort", keys: ["s"], on: ["sessions", "parts"], rank: 6 },
  { action: "filter", keys: ["/"], on: ["sessions", "parts"], rank: 5 },
  { action: "search", keys: ["/"], on: ["detail"], rank: 2 },
  { action: "nextMatch", keys: ["n"], on: ["detail"], works: isSearching, rank: 3 },
  { action: "previousMatch", keys: ["N"], on: ["detail"], works: isSearching, rank: 4 },
  {
    action: "install",
    keys: ["i"],
    on: ["sessions", "parts", "preview", "cleanup", "interrupted"],
    works: canInstall,
    rank: 0,
  },
  { action: "installHere", keys: ["i"], on: ["plugin"], works: canInstallHere, rank: 1 },
  { action: "update", keys: ["u"], on: ["plugin"], works: canUpdate, rank: 2 },
  { action: "remove", keys: ["d"], on: ["plugin"], works: canRemove, rank: 3 },
  { action: "switchPlace", keys: ["tab"], on: ["plugin"], works: canSwitchPlace, rank: 4 },
  { action: "up", keys: ["up", "k"], on: LISTS },
  { action: "down", keys: ["down", "j"], on: LISTS },
  { action: "pageUp", keys: ["pageup", "ctrl-u"], on: LISTS },
  { action: "pageDown", keys: ["pagedown", "ctrl-d"], on: LISTS },
  { action: "first", keys: ["g", "home"], on: LISTS },
  { action: "last", keys: ["G", "end"], on: LISTS },
  { action: "events", keys: ["e"], on: ["sessions", "parts", "summary"], rank: 50 },
  { action: "refresh", keys: ["R"], on: ["sessions", "parts", "preview", "cleanup"], rank: 60 },
  { action: "refresh", keys: ["R"], on: ["plugin"], works: canLookAgain, rank: 60 },
  { action: "plugin", keys: ["I"], on: ["sessions", "parts"], rank: 65 },
  { action: "help", keys: ["?"], on: "everywhere", rank: 95 },
  { action: "quit", keys: ["q", "ctrl-c"], on: "everywhere", rank: 99 },
  { action: "suspend", keys: ["ctrl-z"], on: "everywhere", exists: canSuspend },
  { action: "accept", keys: ["enter"], on: ["prompt"], rank: 0 },
  { action: "cancel", keys: ["escape", "ctrl-c"], on: ["prompt"], rank: 1 },
  { action: "erase", keys: ["backspace"], on: ["prompt"] },
  { action: "eraseAll", keys: ["ctrl-u"], on: ["prompt"] },
];

/** Where the next key goes. */
export function keyPlace(state: AppState): KeyPlace {
  return state.prompt === undefined ? topScreen(state) : "prompt";
}

/** What the key does now; nothing, where nothing is bound to it. */
export function bindingFor(state: AppState, key: KeyName): Binding | undefined {
  return BINDINGS.find((binding) => binding.keys.includes(key) && isOffered(binding, state));
}

/** What works now, in the order of the key line. */
export function offeredBindings(state: AppState): readonly Binding[] {
  const place = keyPlace(state);
  return BINDINGS.filter((binding) => binding.rank !== undefined && isOffered(binding, state, place)).sort(
    (one, other) => (one.rank ?? 0) - (other.rank ?? 0),
  );
}

/** The bindings of a place, whether they work now or not; those of every place stand apart. */
export function bindingsOf(place: KeyPlace | "everywhere", state: AppState): readonly Binding[] {
  const existing = BINDINGS.filter((binding) => exists(binding, state));
  if (place === "everywhere") return existing.filter(isEverywhere);
  return existing.filter(
    (binding) => !isEverywhere(binding) && binding.on !== "everywhere" && binding.on.includes(place),
  );
}

function exists(binding: Binding, state: AppState): boolean {
  return binding.exists === undefined || binding.exists(state);
}

function isEverywhere({ on }: Binding): boolean {
  return on === "everywhere" || on === LISTS;
}

function isOffered(binding: Binding, state: AppState, place = keyPlace(state)): boolean {
  const here = binding.on === "everywhere" ? place !== "prompt" : binding.on.includes(place);
  return here && exists(binding, state) && (binding.works === undefined || binding.works(state));
}

function canConfirm({ work, plugin }: AppState): boolean {
  return work.kind === "planned" && work.confirmation.parts > 0 && plugin.state !== "missing";
}

function hasPlan({ work }: AppState): boolean {
  return work.kind === "planned";
}

function isWorking({ work }: AppState): boolean {
  return work.kind === "running" && !work.stopping;
}

function hasSelection(state: AppState): boolean {
  const { model } = state.selection;
  if (topScreen(state) !== "parts") return model.sessionIDs.length > 0;
  return state.parts !== undefined && model.totals(state.parts.sessionID).parts > 0;
}

function canClean(state: AppState): boolean {
  return state.canClean;
}

function canSuspend(state: AppState): boolean {
  return state.canSuspend;
}

function hasSession(state: AppState): boolean {
  return state.rows.sessions.length > 0 || topScreen(state) === "parts";
}

function isSearching({ detail }: AppState): boolean {
  return detail !== undefined && detail.search !== "";
}

function canGoBack(state: AppState): boolean {
  return !isRunning(state) && !(topScreen(state) === "found" && isLooking(state));
}

function isAsked({ interrupted, pluginView }: AppState): boolean {
  return interrupted.question !== undefined || pluginView?.question !== undefined;
}

function hasInterrupted({ interrupted, work }: AppState): boolean {
  return interrupted.jobs.length > 0 && work.kind !== "running";
}

function canDiscard(state: AppState): boolean {
  return hasInterrupted(state) && !isAsked(state);
}

function canResume(state: AppState): boolean {
  return canDiscard(state) && state.plugin.state !== "missing";
}

function isFiltered({ sessionFilter }: AppState): boolean {
  return sessionFilter !== "";
}

function canInstall({ plugin, changingPlugin }: AppState): boolean {
  return changingPlugin === undefined && (plugin.state === "missing" || plugin.state === "failed");
}

/** What is known of the copy that the plugin's screen shows, while it may be changed. */
function changeable(state: AppState): PluginInspection | undefined {
  const { phase, inspection } = state.pluginView ?? {};
  return phase === "ready" && inspection?.isLocal && canLookAgain(state) ? inspection : undefined;
}

function canInstallHere(state: AppState): boolean {
  const inspection = changeable(state);
  if (inspection === undefined) return false;
  const { installed, project, observed } = inspection;
  if (installed.content === "same") return inspection.state.state !== "ready";
  return installed.content === "absent" && (project === undefined || observed.elsewhere === undefined);
}

function canUpdate(state: AppState): boolean {
  const content = changeable(state)?.installed.content;
  return content === "other_version" || content === "changed";
}

function canRemove(state: AppState): boolean {
  return canUpdate(state) || changeable(state)?.installed.content === "same";
}

function canLookAgain(state: AppState): boolean {
  return state.changingPlugin === undefined && !isAsked(state);
}

function canSwitchPlace(state: AppState): boolean {
  return state.pluginView?.directory !== undefined && canLookAgain(state);
}
