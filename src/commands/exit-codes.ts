/** What every command's exit code means; `--help` lists them. */
export const EXIT = {
  done: 0,
  /** Something went wrong; one sentence on the standard error says what. */
  failed: 1,
  /** The command line itself cannot be understood. */
  usage: 2,
  /** A prune that did not do all that was asked: something was refused or skipped. */
  partial: 3,
} as const;

export const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  failed; one sentence says why and what to do
  2  the command line cannot be understood
  3  pruned in part: something was refused or skipped`;
