import { describe, expect, it } from "vitest";
import { chooseLanguage, createQuantities, LANGUAGES, wordsFor } from "../../src/words/index.ts";

describe("choosing the language", () => {
  it("takes what was asked for", () => {
    expect(chooseLanguage("fr", { LANG: "en_US.UTF-8" })).toBe("fr");
    expect(chooseLanguage("zh", {})).toBe("zh-CN");
  });

  it("has no answer to a language that is not there", () => {
    expect(chooseLanguage("de", {})).toBeUndefined();
    expect(chooseLanguage("zh-TW", {})).toBeUndefined();
  });

  it("follows the environment in the order of POSIX", () => {
    expect(chooseLanguage(undefined, { LC_ALL: "fr_CA.UTF-8", LANG: "zh_CN.UTF-8" })).toBe("fr");
    expect(chooseLanguage(undefined, { LC_ALL: "", LC_MESSAGES: "zh_SG", LANG: "fr_FR" })).toBe("zh-CN");
    expect(chooseLanguage(undefined, { LANG: "zh_CN.UTF-8" })).toBe("zh-CN");
  });

  it("is English where the environment says nothing, or nothing that is there", () => {
    expect(chooseLanguage(undefined, {})).toBe("en");
    expect(chooseLanguage(undefined, { LANG: "C.UTF-8" })).toBe("en");
    expect(chooseLanguage(undefined, { LANG: "de_DE.UTF-8" })).toBe("en");
  });
});

describe("the catalogues", () => {
  it("count in the forms of their language", () => {
    const [en, fr, zh] = LANGUAGES.map((language) => wordsFor(language));
    expect([0, 1, 2].map((n) => en?.parts(n))).toEqual(["0 parts", "1 part", "2 parts"]);
    expect([0, 1, 2].map((n) => fr?.parts(n))).toEqual(["0 partie", "1 partie", "2 parties"]);
    expect([0, 1, 2].map((n) => zh?.parts(n))).toEqual(["0 个片段", "1 个片段", "2 个片段"]);
  });

  it("say every blocked reason in a sentence of their own", () => {
    const english = Object.values(wordsFor("en").reasons);
    for (const language of LANGUAGES) {
      const sentences = Object.values(wordsFor(language).reasons);
      expect(new Set(sentences).size).toBe(sentences.length);
      for (const sentence of sentences) expect(sentence).toMatch(/[.。]$/);
      if (language !== "en") expect(sentences.filter((sentence) => english.includes(sentence))).toEqual([]);
    }
  });

  it("name the folder that OpenCode cannot work in as a shell takes it, and as a terminal may show it", () => {
    for (const language of LANGUAGES) {
      const { folderUnusable } = wordsFor(language);
      expect(folderUnusable("/srv/work")).toMatch(/mkdir -p \/srv\/work[)）].*[.。]$/);
      expect(folderUnusable("/srv/it's here")).toContain("mkdir -p '/srv/it'\\''s here'");
      expect(folderUnusable("/srv/\u001b[2Jx")).not.toContain("\u001b");
    }
  });

  it.each(["fr", "zh-CN"] as const)("translate every sentence: %s", (language) => {
    const same = sentencesOf(wordsFor("en")).filter((text) => sentencesOf(wordsFor(language)).includes(text));
    expect(same.filter((text) => text.includes(" "))).toEqual([]);
  });
});

describe("quantities", () => {
  const en = createQuantities("en", "UTC");
  const fr = createQuantities("fr", "UTC");
  const zh = createQuantities("zh-CN", "UTC");
  const now = Date.UTC(2026, 2, 14, 15);

  it("writes sizes with three digits at the most", () => {
    expect([0, 999, 1_000, 99_949, 999_499, 999_500, 1_234_567, 5e9, 7e15].map(en.bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "99.9 kB",
      "999 kB",
      "1.0 MB",
      "1.2 MB",
      "5.0 GB",
      "7,000 TB",
    ]);
    expect(fr.bytes(1_234_567)).toBe("1,2 Mo");
  });

  it("writes numbers and shares as the language does, with plain spaces", () => {
    expect(fr.count(1_234_567)).toBe("1 234 567");
    expect(fr.share(0.98)).toBe("98 %");
    expect(zh.count(1_234_567)).toBe("1,234,567");
    expect([0, 0.004, 0.125, 1].map(en.share)).toEqual(["0%", "0%", "13%", "100%"]);
  });

  it("writes how long ago it was", () => {
    expect(en.ago(now - 3 * 60_000, now)).toBe("3m ago");
    expect(fr.ago(now - 2 * 3_600_000, now)).toBe("-2 h");
    expect(zh.ago(now - 5 * 86_400_000, now)).toBe("5天前");
    expect(en.ago(now + 1_000, now)).toBe("0s ago");
  });

  it("writes the time of today alone, and the date of another day with it", () => {
    expect(fr.moment(now - 60_000, now)).toBe("14:59");
    expect(fr.moment(now - 86_400_000, now)).toBe("13/03/2026 15:00");
  });

  it("writes durations from tenths of a second to hours", () => {
    expect([400, 12_345, 65_000, 3_725_000].map(en.duration)).toEqual([
      "0.4 sec",
      "12 sec",
      "1:05",
      "1:02:05",
    ]);
  });
});

/** Every text of a catalogue that takes no argument. */
function sentencesOf(words: object): string[] {
  return Object.values(words).flatMap((value: unknown) => {
    if (typeof value === "string") return [value];
    return value !== null && typeof value === "object" ? sentencesOf(value) : [];
  });
}
