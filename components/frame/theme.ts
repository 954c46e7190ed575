import chalk from "chalk";

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

/** Puts the terminal's codes around sanitised text. */
export type Paint = (text: string) => string;
export type Theme = Readonly<Record<Style, Paint>>;

const asItIs: Paint = (text) => text;

/**
 * Sixteen colours, chosen to be readable on dark and on light. Every meaning is also in the text, so that nothing
 * is lost without them.
 */
const COLOURED: Theme = {
  plain: asItIs,
  quiet: chalk.dim,
  strong: chalk.bold,
  heading: chalk.bold.blue,
  good: chalk.green,
  warning: chalk.magenta,
  danger: chalk.bold.red,
  key: chalk.bold.blue,
  chosen: chalk.bold.green,
  match: chalk.bold.underline,
};

const COLOURLESS: Theme = {
  ...COLOURED,
  heading: chalk.bold,
  good: asItIs,
  warning: asItIs,
  danger: chalk.bold,
  key: chalk.bold,
  chosen: chalk.bold,
};

/** The line that the cursor is on. */
export const paintCursor: Paint = chalk.inverse;

export function themeFor(colour: boolean): Theme {
  return colour ? COLOURED : COLOURLESS;
}
