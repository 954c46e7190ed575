import { InvalidArgumentError } from "commander";
import { parseCount, parseSize } from "../state/size-input.ts";

/** Bytes: `900`, `50k`, `1.5 MB`, `2MiB`. */
export function sizeArgument(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined) throw new InvalidArgumentError("Write a size like 900, 50k or 1.5MB.");
  return bytes;
}

const HOUR = 3_600_000;
const AGE_UNITS: Readonly<Record<string, number>> = {
  min: 60_000,
  h: HOUR,
  d: 24 * HOUR,
  w: 7 * 24 * HOUR,
};

/** Milliseconds: `30min`, `12h`, `14d`, `6w`. `m` is refused: some mean minutes by it, and some mean months. */
export function ageArgument(text: string): number {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)\s*([a-z]+)$/i.exec(text.trim());
  const unit = AGE_UNITS[match?.[2]?.toLowerCase() ?? ""];
  if (match?.[1] === undefined || unit === undefined) {
    throw new InvalidArgumentError("Write an age like 30min, 12h, 14d or 6w.");
  }
  return Number(match[1]) * unit;
}

export function countArgument(text: string): number {
  const count = parseCount(text);
  if (count === undefined) throw new InvalidArgumentError("Write a whole number.");
  return count;
}
