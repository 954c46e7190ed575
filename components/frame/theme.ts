import type { TextProps } from "ink";

/** What a piece of text means to the reader. How that looks is the theme's business. */
export type Style =
  | "plain"
  | "quiet"
  | "strong"
  | "heading"
  | "good"
  | "warning"
  | "danger"
  | "key"
  | "chosen"
  | "match";

export type Theme = Readonly<Record<Style, TextProps>>;

/**
 * Sixteen colours, chosen to be readable on dark and on light. Every meaning is also in the text, so that nothing
 * is lost without them.
 */
const COLOURED: Theme = {
  plain: {},
  quiet: { dimColor: true },
  strong: { bold: true },
  heading: { bold: true, color: "blue" },
  good: { color: "green" },
  warning: { color: "magenta" },
  danger: { bold: true, color: "red" },
  key: { bold: true, color: "blue" },
  chosen: { bold: true, color: "green" },
  match: { underline: true, bold: true },
};

const COLOURLESS: Theme = {
  ...COLOURED,
  heading: { bold: true },
  good: {},
  warning: {},
  danger: { bold: true },
  key: { bold: true },
  chosen: { bold: true },
};

export function themeFor(colour: boolean): Theme {
  return colour ? COLOURED : COLOURLESS;
}
