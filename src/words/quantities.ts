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

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `locale` is a BCP 47 tag; `timeZone` is the machine's unless given. */
export function createQuantities(locale: string, timeZone?: string): Quantities {
  const numbers = lazily(() => new Intl.NumberFormat(locale));
  const percents = lazily(
    () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }),
  );
  const rules = lazily(() => new Intl.PluralRules(locale));
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { style: "narrow", numeric: "always" }));
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
  const sizes = BYTE_UNITS.map((unit) =>
    [0, 1].map((digits) =>
      lazily(
        () =>
          new Intl.NumberFormat(locale, {
            style: "unit",
            unit,
            unitDisplay: unit === "byte" ? "narrow" : "short",
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
          }),
      ),
    ),
  );

  function bytes(value: number): string {
    let power = 0;
    let scaled = value;
    while (scaled >= 999.5 && power < BYTE_UNITS.length - 1) {
      scaled /= 1000;
      power += 1;
    }
    const digits = power === 0 || scaled >= 99.95 ? 0 : 1;
    const text = sizes[power]?.[digits]?.().format(scaled) ?? String(value);
    return plainSpaces(text).replace(/(\d)(\p{L})/u, "$1 $2");
  }

  return {
    count: (value) => plainSpaces(numbers().format(value)),
    bytes,
    share: (value) => plainSpaces(percents().format(value)),
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
      return plainSpaces(relative().format(-Math.floor(passed / length), unit));
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
