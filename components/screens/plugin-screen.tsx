import { type AppState, bodyHeight, type PluginInspection, type PluginView } from "../../src/state/index.ts";
import { sanitise, wrapStarts } from "../../src/text/index.ts";
import { changedFilesText, pluginSentences, versionText, type Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { Line } from "../frame/line.tsx";
import { MARGIN } from "../frame/list.tsx";
import type { Style } from "../frame/theme.ts";
import { useView } from "../frame/view-context.ts";
import type { ScreenProps } from "./screen.ts";

/** The plugin inside OpenCode: how it stands, what to do about it, and what a key is about to do. */
export function PluginScreen({ state, words }: ScreenProps) {
  const { isLinear } = useView();
  return (
    <Frame state={state} title={titleOf(state, words)} head={[]}>
      {bodyOf(state, words, isLinear).map((segments, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
        <Line key={index} segments={segments} />
      ))}
    </Frame>
  );
}

type LineSegments = readonly Segment[];

interface Sentence {
  readonly text: string;
  readonly style: Style;
}

function titleOf({ pluginView: view }: AppState, words: Words): LineSegments {
  const { everyProject, oneProject } = words.pluginScreen;
  const directory = view?.inspection?.project ?? view?.directory ?? "";
  return [
    { text: words.screens.plugin, style: "heading" },
    { text: view?.isForProject ? oneProject(directory) : everyProject, style: "strong" },
  ];
}

/** The facts, and below them the sentences. Where not all fits, facts are left out, never what is asked. */
function bodyOf(state: AppState, words: Words, isLinear: boolean): readonly LineSegments[] {
  const { pluginView: view } = state;
  if (view === undefined) return [];
  const facts = view.inspection === undefined ? [] : factLines(view.inspection, words);
  const sentences = sentencesOf(view, state, words);
  if (isLinear) return [...facts, ...sentences.map((sentence) => [sentence])];
  const rows = sentences.flatMap(({ text, style }) =>
    wrapped(text, state.size.columns - 2).map((row) => [MARGIN, { text: row, style }]),
  );
  const room = bodyHeight(state, "plugin") - rows.length;
  const gap = facts.length > 0 && room > facts.length ? [[]] : [];
  return [...facts.slice(0, Math.max(0, room)), ...gap, ...rows.slice(0, bodyHeight(state, "plugin"))];
}

function factLines(inspection: PluginInspection, words: Words): readonly LineSegments[] {
  const { labels } = words.pluginScreen;
  const line = (label: string, value: string, keep?: "end"): LineSegments => [
    MARGIN,
    { text: label, cells: LABEL, style: "quiet" },
    { text: value, grow: true, ...(keep === undefined ? {} : { keep }) },
  ];
  return [
    line(labels.folder, inspection.folder, "end"),
    line(labels.installed, installedText(inspection, words)),
    line(labels.brought, versionText(inspection.bundled.version, words)),
    line(labels.opencode, loadedText(inspection, words)),
  ];
}

const LABEL = 9;

function installedText(inspection: PluginInspection, words: Words): string {
  const { content, copy } = inspection.installed;
  const { contents } = words.pluginScreen;
  if (!inspection.isLocal) return contents.notLocal;
  const version = versionText(copy?.version, words);
  switch (content) {
    case "same":
      return contents.same(version);
    case "other_version":
      return contents.otherVersion(version);
    case "changed":
      return contents.changed(version, changedFilesText(inspection, words));
    default:
      return contents[content];
  }
}

function loadedText({ observed, state }: PluginInspection, { pluginScreen }: Words): string {
  const { loaded } = pluginScreen;
  if (state.state === "failed") return loaded.failed;
  if (state.state === "ready" && state.provider === "published") return loaded.published;
  if (observed.elsewhere !== undefined) return loaded.elsewhere(observed.elsewhere);
  if (state.state === "ready") return loaded.answers;
  return observed.isFromFolder ? loaded.silent : loaded.nothing;
}

function sentencesOf(view: PluginView, { changingPlugin }: AppState, words: Words): readonly Sentence[] {
  const { reading, failed, working } = words.pluginScreen;
  const { inspection, problem, question, action } = view;
  if (changingPlugin !== undefined) return [{ text: working[changingPlugin], style: "warning" }];
  if (view.phase === "failed") return [{ text: failed(problem ?? ""), style: "danger" }];
  if (inspection === undefined) return [{ text: reading, style: "quiet" }];
  if (question !== undefined) return questionSentences(inspection, question, words);
  if (problem !== undefined) return [{ text: problem, style: "danger" }];
  const isReady = inspection.state.state === "ready";
  return pluginSentences(inspection, action, words, words.pluginOnScreen).map((text, index) => ({
    text,
    style: index > 0 || (!isReady && action === undefined) ? "warning" : "strong",
  }));
}

/** What would be done, what is lost by it, and what it takes. */
function questionSentences(
  inspection: PluginInspection,
  { change, loses }: NonNullable<PluginView["question"]>,
  words: Words,
): readonly Sentence[] {
  const says = words.pluginScreen;
  const { folder, bundled } = inspection;
  return [
    {
      text: change === "update" ? says.replaces(folder, bundled.version) : says.removes(folder),
      style: "strong",
    },
    ...(loses === undefined
      ? []
      : [{ text: says.loses(changedFilesText(inspection, words)), style: "danger" as const }]),
    { text: change === "update" ? says.askReplace : says.askRemove, style: "danger" },
  ];
}

/** Foreign text in rows of so many cells. */
function wrapped(foreign: string, cells: number): readonly string[] {
  const text = sanitise(foreign.slice(0, LONGEST));
  const starts = wrapStarts(text, cells);
  return starts.map((start, row) => text.slice(start, starts[row + 1] ?? text.length).trim());
}

const LONGEST = 1_000;
