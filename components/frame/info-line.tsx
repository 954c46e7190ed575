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
    case "installed":
      return said.installed;
    case "install_failed":
      return said.installFailed(message.text);
    case "not_found":
      return said.notFound;
    case "no_such_session":
      return said.noSuchSession(message.text);
    case "busy":
      return said.busy;
  }
}
