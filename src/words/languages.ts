import { chinese } from "./chinese.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { createQuantities, type Quantities } from "./quantities.ts";
import type { Words } from "./words.ts";

export const LANGUAGES = ["en", "fr", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Readonly<Record<Language, (say: Quantities) => Words>> = {
  en: english,
  fr: french,
  "zh-CN": chinese,
};

/** The catalogue of a language. `timeZone` is the machine's unless given. */
export function wordsFor(language: Language, timeZone?: string): Words {
  return CATALOGUES[language](createQuantities(language, timeZone));
}

/** What of the environment tells the user's language, in the order of POSIX. */
export interface LanguageEnvironment {
  readonly LC_ALL?: string | undefined;
  readonly LC_MESSAGES?: string | undefined;
  readonly LANG?: string | undefined;
}

/**
 * The language for the screen: what was asked for, else what the environment says, else English.
 * Asking for a language that is not there is answered with nothing.
 */
export function chooseLanguage(
  asked: string | undefined,
  environment: LanguageEnvironment,
): Language | undefined {
  if (asked !== undefined) return languageOf(asked);
  const set = [environment.LC_ALL, environment.LC_MESSAGES, environment.LANG].find(Boolean);
  return languageOf(set ?? "en") ?? "en";
}

/** `fr`, `fr_CA.UTF-8` and `fr-FR` are French; `zh`, `zh_CN`, `zh_SG` and `zh-Hans` are Simplified Chinese. */
function languageOf(tag: string): Language | undefined {
  const [language, ...rest] = tag.toLowerCase().split(/[-_.@]/);
  if (language === "en" || language === "c" || language === "posix") return "en";
  if (language === "fr") return "fr";
  if (language === "zh" && !rest.some((part) => ["tw", "hk", "mo", "hant"].includes(part))) return "zh-CN";
  return undefined;
}
