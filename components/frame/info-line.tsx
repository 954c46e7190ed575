import { type AppState, type Message, type Prompt, topScreen } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";
import { useView } from "./view-context.ts";

/** One line for what matters now: a question, an answer, or what is selected. */
export function InfoLine({ state }: { readonly state: AppState }) {
  const { words } = useView();
  return <Line segments={infoSegments(state, words)} />;
}

export function infoSegments(state: AppState, words: Words): readonly Segment[] {
  if (state.leaving === "asked") return [{ text: words.leaving.asked, style: "warning" }];
  if (state.leaving !== "no") return [{ text: words.leaving.stopping, style: "warning" }];
  if (state.prompt !== undefined) return promptSegments(state, state.prompt, words);
  if (state.message !== undefined) {
    return [{ text: messageText(state.message, words), style: "warning" }];
  }
  const selected = selectionText(state, words);
  if (selected !== "") return [{ text: selected, style: "chosen" }];
  const offer = offerText(state, words);
  if (offer !== "") return [{ text: offer, style: "warning" }];
  const notDurable = notDurableText(state, words);
  if (notDurable !== "") return [{ text: notDurable, style: "danger" }];
  return [{ text: problemText(state), style: "warning" }];
}

function promptSegments({ work }: AppState, prompt: Prompt, words: Words): readonly Segment[] {
  const question =
    prompt.kind === "confirm"
      ? words.prompts.confirm(work.kind === "planned" ? work.confirmation.parts : 0)
      : words.prompts[prompt.kind];
  return [
    { text: question, style: "strong" },
    { text: `${prompt.text}█`, keep: "end" },
    { text: prompt.refused ? words.prompts.refused[prompt.kind] : "", style: "danger" },
  ];
}

function selectionText(state: AppState, words: Words): string {
  const { parts, selection, history } = state;
  if (parts !== undefined && topScreen(state) !== "sessions") {
    const totals = selection.model.totals(parts.sessionID);
    if (totals.parts === 0) return "";
    const stored = history.sessions.get(parts.sessionID)?.storedBytes;
    return words.totals(totals, stored === undefined || stored === 0 ? undefined : totals.bytes / stored);
  }
  const { sessionIDs } = selection.model;
  if (sessionIDs.length === 0) return "";
  const count = sessionIDs.reduce((sum, sessionID) => sum + selection.model.totals(sessionID).parts, 0);
  return words.selectedElsewhere(count, sessionIDs.length);
}

/** That cleanups were cut off, until the user has looked at them. */
function offerText(state: AppState, words: Words): string {
  const { jobs, isPutOff } = state.interrupted;
  const isSilent = isPutOff || jobs.length === 0 || state.history.connection.phase !== "live";
  if (topScreen(state) !== "sessions" || isSilent) return "";
  const messages = jobs.reduce((sum, { left }) => sum + left.messages, 0);
  return words.interrupted.offer(jobs.length, messages);
}

/** That the plan on the screen could not be resumed, and why not: foreign text. */
function notDurableText(state: AppState, words: Words): string {
  const { work } = state;
  if (topScreen(state) !== "cleanup" || work.kind !== "planned" || work.what !== "cleanup") return "";
  return work.plan.notDurable === undefined ? "" : words.cleanup.notDurable(work.plan.notDurable);
}

/** Why something in the status line is not as it should be: foreign text. */
function problemText({ history, plugin }: AppState): string {
  const { connection, cache } = history;
  if (connection.phase !== "live" && connection.problem !== undefined) return connection.problem;
  if (plugin.state === "failed") return plugin.problem;
  return cache?.problem ?? "";
}

function messageText(message: Message, words: Words): string {
  const said = words.messagesToUser;
  switch (message.kind) {
    case "vanished":
      return said.vanished(message.parts);
    case "unselectable":
      return words.unprunable[message.reason];
    case "nothing_selected":
      return said.nothingSelected;
    case "nothing_added":
      return said.nothingAdded;
    case "plugin_changed":
      return words.pluginChanged[message.change];
    case "plugin_not_changed":
      return words.pluginNotChanged[message.change](message.text);
    case "not_found":
      return said.notFound;
    case "no_such_session":
      return said.noSuchSession(message.text);
    case "busy":
      return said.busy;
    case "nothing_technical":
      return said.nothingTechnical;
    case "discarded":
      return said.discarded;
    case "not_interrupted":
      return said.notInterrupted;
    case "cleanup_failed":
      return said.cleanupFailed(message.text);
    case "problem":
      return message.text;
  }
}
