export { chooseLanguage, LANGUAGES, type Language, wordsFor } from "./languages.ts";
export { changedFilesText, type PluginManner, pluginSentences, versionText } from "./plugin-sentences.ts";
export { createQuantities, type Locale, type Quantities } from "./quantities.ts";
export { refusalSentence, type Words } from "./words.ts";
