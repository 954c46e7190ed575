import type { Command } from "commander";
import type { PruneFlags } from "../prune.ts";
import { examples, globalOptions, withFilters } from "./shared.ts";

const NOTES = `
A part is pruned when all filters hold for it. Messages that are not complete are left alone; sessions that
run, compact or have a staged revert are refused and reported. Interrupting it (ctrl-c) stops after the call
under way (a quarter of a second as a rule) and reports what was done. This cannot be undone.
`;

export function addPruneCommand(program: Command): void {
  withFilters(
    program
      .command("prune")
      .description("delete technical parts for good, of one session or of all")
      .argument("[session]", "the id of a session"),
  )
    .option("--all-sessions", "every session of the server")
    .option("--dry-run", "say what would go, and delete nothing")
    .option("--yes", "do not ask; without a terminal nothing is deleted without it")
    .addHelpText(
      "after",
      NOTES +
        examples(
          "opencode-prune prune ses_… --tool read grep --keep-last 10 --dry-run",
          "opencode-prune prune --all-sessions --tools --older-than 14d --min-size 50k --yes --json",
        ),
    )
    .action(async (session: string | undefined, flags: PruneFlags, command: Command) => {
      const { prune } = await import("../prune.ts");
      process.exitCode = await prune(session, { ...flags, ...globalOptions(command) });
    });
}
