/** Numbers, sizes and times as one language writes them. */
export interface Quantities {
  /** 12,345 */
  count(value: number): string;
  /** Bytes in decimal units, with three digits at the most: 1.2 MB */
  bytes(value: number): string;
  /** A fraction of 1 as a percentage: 98% */
  share(value: number): string;
  /** Milliseconds as a duration: 1:05 or 0.4 s */
  duration(milliseconds: number): string;
  /** How long ago a moment is, short: 3 min. ago */
  ago(moment: number, now: number): string;
  /** The time of day, and the date when it is not today. */
  moment(moment: number, now: number): string;
  /** The form that the number asks for. `other` serves wherever no better one is given. */
  plural(value: number, forms: PluralForms): string;
}

export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The locales that quantities are written for, as BCP 47 tags. */
export type Locale = "en" | "fr" | "zh-CN";

type Passed = "second" | "minute" | "hour" | "day" | "month";

interface Signs {
  /** From bytes upwards, a thousand times each. */
  readonly bytes: readonly string[];
  readonly percent: string;
  /** `#` is the number. */
  readonly ago: Readonly<Record<Passed, string>>;
}

const BYTES = ["B", "kB", "MB", "GB", "TB"];

/**
 * As `Intl` has them. Each of its formatters takes milliseconds to make, and the first frame would need ten of them for
 * these few signs; besides, they differ between versions of Node.
 */
const SIGNS: Readonly<Record<Locale, Signs>> = {
  en: {
    bytes: BYTES,
    percent: "%",
    ago: { second: "#s ago", minute: "#m ago", hour: "#h ago", day: "#d ago", month: "#mo ago" },
  },
  fr: {
    bytes: ["o", "ko", "Mo", "Go", "To"],
    percent: " %",
    ago: { second: "-# s", minute: "-# min", hour: "-# h", day: "-# j", month: "-# m." },
  },
  "zh-CN": {
    bytes: BYTES,
    percent: "%",
    ago: { second: "#秒前", minute: "#分钟前", hour: "#小时前", day: "#天前", month: "#个月前" },
  },
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `timeZone` is the machine's unless given. */
export function createQuantities(locale: Locale, timeZone?: string): Quantities {
  const signs = SIGNS[locale];
  const numbers = lazily(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  const tenths = lazily(
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  );
  const rules = lazily(() => new Intl.PluralRules(locale));
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = lazily(() => new Intl.DateTimeFormat(locale, { ...zone, timeStyle: "short" }));
  const dateAndTime = lazily(
    () => new Intl.DateTimeFormat(locale, { ...zone, dateStyle: "short", timeStyle: "short" }),
  );
  const day = lazily(() => new Intl.DateTimeFormat(locale, { ...zone, dateStyle: "short" }));
  const seconds = lazily(
    () =>
      new Intl.NumberFormat(locale, {
        style: "unit",
        unit: "second",
        unitDisplay: "short",
        maximumFractionDigits: 1,
      }),
  );

  const count = (value: number) => plainSpaces(numbers().format(value));

  function bytes(value: number): string {
    let power = 0;
    let scaled = value;
    while (scaled >= 999.5 && power < signs.bytes.length - 1) {
      scaled /= 1000;
      power += 1;
    }
    const digits = power === 0 || scaled >= 99.95 ? 0 : 1;
    const number = digits === 0 ? count(scaled) : plainSpaces(tenths().format(scaled));
    return `${number} ${signs.bytes[power]}`;
  }

  return {
    count,
    bytes,
    share: (value) => count(100 * value) + signs.percent,
    duration(milliseconds) {
      if (milliseconds < MINUTE) {
        return plainSpaces(
          seconds().format(
            milliseconds < 10 * SECOND ? milliseconds / SECOND : Math.round(milliseconds / SECOND),
          ),
        );
      }
      const whole = Math.round(milliseconds / SECOND);
      const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
      const shown = parts[0] === 0 ? parts.slice(1) : parts;
      return shown
        .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0")))
        .join(":");
    },
    ago(moment, now) {
      const passed = Math.max(0, now - moment);
      const [unit, length] =
        passed < MINUTE
          ? (["second", SECOND] as const)
          : passed < HOUR
            ? (["minute", MINUTE] as const)
            : passed < DAY
              ? (["hour", HOUR] as const)
              : passed < 60 * DAY
                ? (["day", DAY] as const)
                : (["month", 30 * DAY] as const);
      return signs.ago[unit].replace("#", count(Math.floor(passed / length)));
    },
    moment: (moment, now) =>
      plainSpaces(
        day().format(moment) === day().format(now) ? time().format(moment) : dateAndTime().format(moment),
      ),
    plural: (value, forms) => forms[rules().select(value)] ?? forms.other,
  };
}

/** Making a formatter takes a millisecond, and a screen needs few of them: each is made when it is first used. */
function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `Intl` separates with spaces that some terminals draw in two cells or not at all. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00A0\u2009\u202F]/g, " ");
}
