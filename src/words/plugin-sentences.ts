import type { ChangedPlugin, PluginInspection } from "../state/ports.ts";
import { sanitise } from "../text/index.ts";
import type { Words } from "./words.ts";

/** How a place and what to do are named: as keys of the screen, or as commands. */
export interface PluginManner {
  readonly where: string;
  readonly install: string;
  readonly update: string;
  readonly putBack: string;
}

/** Where the plugin stands and what to do about it, for people. Without an action it was a look only. */
export function pluginSentences(
  inspection: PluginInspection,
  action: ChangedPlugin["action"] | undefined,
  words: Words,
  manner: PluginManner,
): readonly string[] {
  const { folder, observed, installed } = inspection;
  const says = words.pluginSays;
  if (action === "removed") {
    return [says.removed(folder), ...(observed.answers ? [stillAnswers(inspection, words)] : [])];
  }
  if (action === "none" && installed.content === "absent") return [says.nothingRemoved(folder)];
  return [
    stateSentence(inspection, action, words, manner),
    ...copySentences(inspection, words, manner),
    ...besideSentences(inspection, words, manner),
  ];
}

/** The names of the files that somebody changed, the first of them. */
export function changedFilesText(
  { installed }: Pick<PluginInspection, "installed">,
  { pluginSays }: Words,
): string {
  const [shown, more] = [
    installed.changedFiles.slice(0, MOST_NAMES),
    installed.changedFiles.length - MOST_NAMES,
  ];
  if (shown.length === 0) return pluginSays.someFiles;
  const names = shown.map(sanitise).join(", ");
  return more > 0 ? pluginSays.moreFiles(names, more) : names;
}

const MOST_NAMES = 3;

/** What is told of a version; a copy may say none. */
export function versionText(version: string | undefined, { pluginSays }: Words): string {
  return sanitise(version ?? "") || pluginSays.unknownVersion;
}

function stateSentence(
  { state, installed, observed }: PluginInspection,
  action: Exclude<ChangedPlugin["action"], "removed"> | undefined,
  { pluginSays: says }: Words,
  { where, install }: PluginManner,
): string {
  if (state.state === "failed") return state.problem;
  if (state.state !== "ready") {
    return installed.content === "absent" ? says.notInstalled(install) : says.silent(where);
  }
  if (state.provider === "published") return says.published;
  if (observed.elsewhere !== undefined || !observed.isFromFolder) {
    return says.fromElsewhere(observed.elsewhere ?? says.somewhere);
  }
  return says.answers[action ?? "look"](where);
}

function copySentences(
  { installed, bundled, isLocal }: PluginInspection,
  words: Words,
  manner: PluginManner,
): readonly string[] {
  const says = words.pluginSays;
  if (!isLocal) return [says.notLocal];
  const { content, copy } = installed;
  if (content === "other_version") {
    return [says.otherVersion(versionText(copy?.version, words), bundled.version, manner.update)];
  }
  if (content === "changed") return [says.changed(changedFilesText({ installed }, words), manner.putBack)];
  return content === "foreign" ? [says.foreign] : [];
}

/** What there is besides the copy in this folder. */
function besideSentences(
  { installed, observed }: PluginInspection,
  { pluginSays: says }: Words,
  { where }: PluginManner,
): readonly string[] {
  if (installed.content === "absent" || installed.content === "foreign") return [];
  if (observed.isPublishedActive) return [says.standsBack(where)];
  return observed.elsewhere === undefined ? [] : [says.notNeeded(where)];
}

function stillAnswers({ state, observed }: PluginInspection, { pluginSays: says }: Words): string {
  return state.state === "ready" && state.provider === "published"
    ? says.stillPublished
    : says.stillElsewhere(observed.elsewhere ?? says.somewhere);
}
