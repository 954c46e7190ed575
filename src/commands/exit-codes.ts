/** What every command's exit code means; `--help` lists them. */
export const EXIT = {
  done: 0,
  /** Something went wrong; one sentence on the standard error says what. */
  failed: 1,
  /** The command line itself cannot be understood, or lacks the --yes that it needs. */
  usage: 2,
  /** Not all that was asked for was done: something was refused, skipped, stopped, or could not be read. */
  partial: 3,
} as const;

export const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  failed, or a check found something wrong; one sentence says why and what to do
  2  the command line cannot be understood, or --yes is missing where nobody can be asked
  3  done in part: something was refused, skipped, stopped, or could not be read`;
