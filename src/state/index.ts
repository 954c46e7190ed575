export type {
  AppState,
  Confirmation,
  DetailView,
  FoundRow,
  FoundView,
  HelpRow,
  InterruptedRow,
  ListName,
  Message,
  PluginView,
  Prompt,
  ScreenName,
  SelectRow,
  Size,
  Work,
} from "./app-state.ts";
export { type App, type AppOptions, createApp } from "./app-store.ts";
export type { DetailDocument, DocumentRow } from "./detail-document.ts";
export { type ActionName, type Binding, type KeyPlace, offeredBindings } from "./key-table.ts";
export type { ListView } from "./list-view.ts";
export type { MarkedExcerpt } from "./marked-excerpt.ts";
export { messageIndex } from "./message-index.ts";
export {
  isSelectable,
  type MessageRow,
  type PartListRow,
  type PartRow,
  type PartsShown,
  partRowKey,
} from "./part-rows.ts";
export { type Section, sectionsOf } from "./part-sections.ts";
export type { PlanRow } from "./plan-rows.ts";
export type * from "./ports.ts";
export { PART_SORTS, SESSION_SORTS } from "./ports.ts";
export { SHOWN_AFTER } from "./pruning.ts";
export { isPassing } from "./retry.ts";
export {
  bodyHeight,
  detailWidth,
  explanationLines,
  isListName,
  isLooking,
  LINES_FREE,
  needsExplanation,
  rowAtCursor,
  topScreen,
} from "./screens.ts";
export { Selection, type SelectionTotals } from "./selection.ts";
export { technicalShare } from "./session-rows.ts";
