export { chooseLanguage, LANGUAGES, type Language, wordsFor } from "./languages.ts";
export { changedFilesText, type PluginManner, pluginSentences, versionText } from "./plugin-sentences.ts";
export { createQuantities, type Quantities } from "./quantities.ts";
export type { Words } from "./words.ts";
