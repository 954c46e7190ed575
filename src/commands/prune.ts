import { AbortedError, OpenCodeError, UnauthorisedError, UnreachableError } from "../opencode/index.ts";
import { createPruning, Deliveries } from "../pruning/index.ts";
import type { SessionListing } from "../sync/index.ts";
import { canAsk, confirmed } from "./confirmation.ts";
import { type GlobalOptions, listSession, openConnection } from "./connection.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { type FilterFlags, partFilter } from "./filter-flags.ts";
import { untilInterrupted } from "./interruption.ts";
import { printDocument } from "./print-document.ts";
import { createProgressLine, type ProgressLine } from "./progress-line.ts";
import { checkNamedMessages, planSession, type SessionPlan, type SessionPlanner } from "./prune-session.ts";
import { PruneTally } from "./prune-tally.ts";
import { historySource } from "./source.ts";
import { printLines, tableLines } from "./table.ts";
import { counted, quantities } from "./words.ts";

export interface PruneFlags extends GlobalOptions, FilterFlags {
  readonly allSessions?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/**
 * `opencode-prune prune`: deletes what the filters mean, of one session or of all. Nothing goes without `--yes` or
 * a yes on the terminal. Answers the exit code.
 */
export async function prune(sessionID: string | undefined, flags: PruneFlags): Promise<number> {
  checkTarget(sessionID, flags);
  const interruption = untilInterrupted();
  const { signal } = interruption;
  const progress = createProgressLine();
  try {
    const { client } = await openConnection(flags, signal);
    const source = historySource(client);
    const filter = partFilter(flags, Date.now());
    const deliveries = new Deliveries(client);
    const planner: SessionPlanner = {
      source,
      pruning: createPruning({ client, deliveries }),
      filter,
      needsPlugin: flags.dryRun !== true,
      deliveries,
      signal,
    };
    const sessions = sessionID === undefined ? [] : [await listSession(client, source, sessionID, signal)];
    if (sessionID === undefined) for await (const page of source.sessions(signal)) sessions.push(...page);
    else await checkNamedMessages(source, sessionID, filter.messageIDs, signal);

    const run = new PruneRun(planner, sessions, progress, flags);
    return await run.finish(flags.yes ? await run.pruneAtOnce() : await run.planAndAsk());
  } finally {
    progress.clear();
    interruption.release();
  }
}

function checkTarget(sessionID: string | undefined, { allSessions, dryRun, yes, tool, message }: PruneFlags) {
  const usage = (sentence: string) => new CommandFailure(sentence, EXIT.usage);
  const isSwallowed = [...(tool ?? []), ...(message ?? [])].some((value) => value.startsWith("ses_"));
  if (sessionID === undefined && !allSessions) {
    throw usage(
      isSwallowed
        ? "No session is named; put its id before --tool and --message, which take everything that follows."
        : "No session is named; give its id, or say --all-sessions.",
    );
  }
  if (sessionID !== undefined && allSessions) {
    throw usage("Both a session and --all-sessions are named; give one of them.");
  }
  if (dryRun && yes) throw usage("--dry-run and --yes exclude each other; give one of them.");
}

/** Whether the plan was asked for, or only told. */
type Ran = "pruned" | "told";

/** One run of the command over its sessions. */
class PruneRun {
  readonly #tally = new PruneTally();

  constructor(
    readonly planner: SessionPlanner,
    readonly sessions: readonly SessionListing[],
    readonly progress: ProgressLine,
    readonly flags: PruneFlags,
  ) {}

  /** Session after session, so that a history of any size takes the memory of one session. */
  async pruneAtOnce(): Promise<Ran> {
    for await (const planned of this.#plans()) await this.#prune(planned);
    return "pruned";
  }

  /** What is asked about is exactly what is done after a yes. */
  async planAndAsk(): Promise<Ran> {
    const plans: SessionPlan[] = [];
    for await (const planned of this.#plans()) plans.push(planned);
    const isAsking = !this.flags.dryRun && this.#tally.hasPlanned && canAsk() && !this.#isStopped;
    if (!isAsking) {
      for (const planned of plans) this.#tally.notReported(planned);
      return "told";
    }
    this.progress.clear();
    printLines(this.#lines("told"), process.stderr);
    if (!(await confirmed("Delete this for good?", this.planner.signal))) {
      throw new CommandFailure("Nothing was pruned; it was not confirmed.");
    }
    for (const planned of plans) await this.#prune(planned);
    return "pruned";
  }

  /** Prints the outcome and answers the exit code. */
  async finish(ran: Ran): Promise<number> {
    this.progress.clear();
    const { dryRun = false, json } = this.flags;
    if (!dryRun && this.#tally.lacksPlugin) {
      throw new CommandFailure(
        "Nothing was pruned, since the plugin does not answer where these sessions live; install it with `opencode-prune plugin install`.",
      );
    }
    const body = this.#tally.body(ran === "told");
    if (json) printDocument("prune", body);
    else printLines(this.#lines(ran));
    if (ran === "told" && !dryRun && this.#tally.hasPlanned) {
      throw new CommandFailure("Nothing was pruned; say --yes to delete this for good.", EXIT.usage);
    }
    if (dryRun && !this.#tally.stopped) return EXIT.done;
    return body.complete ? EXIT.done : EXIT.partial;
  }

  #lines(ran: Ran): readonly string[] {
    const lines = this.#tally.lines(ran === "told");
    if (ran !== "told" || !this.flags.allSessions || !this.#tally.hasPlanned) return lines;
    return [...tableLines(COLUMNS, this.#tally.rows()), "", ...lines];
  }

  get #isStopped(): boolean {
    if (this.planner.signal.aborted) this.#tally.stopped = true;
    return this.#tally.stopped;
  }

  /** The sessions of which something would go, or is refused. */
  async *#plans(): AsyncGenerator<SessionPlan, void> {
    for (const [position, session] of this.sessions.entries()) {
      if (this.#isStopped) return;
      const planned = await this.#plan(session, position);
      if (!planned) continue;
      this.#tally.planned(planned);
      yield planned;
    }
  }

  async #plan(session: SessionListing, position: number): Promise<SessionPlan | undefined> {
    const { progress, planner, sessions } = this;
    const where = sessions.length === 1 ? "" : `session ${position + 1} of ${sessions.length}, `;
    progress.show(position, sessions.length, `${where}reading`);
    try {
      return await planSession(planner, session, ({ done, total }) =>
        progress.show(
          position + (total === 0 ? 0 : done / total),
          sessions.length,
          `${where}reading ${counted(total, "message")}`,
        ),
      );
    } catch (error) {
      if (error instanceof AbortedError || planner.signal.aborted) {
        this.#tally.stopped = true;
        return undefined;
      }
      if (!(error instanceof OpenCodeError) || sessions.length === 1) throw error;
      const isLost = error instanceof UnreachableError || error instanceof UnauthorisedError;
      // What was done already is to be told, whatever happens after it.
      if (isLost && !this.#tally.hasAsked) throw error;
      this.#tally.stopped ||= isLost;
      this.#tally.failed(session.sessionID, error.message);
      return undefined;
    }
  }

  async #prune(planned: SessionPlan): Promise<void> {
    const { plan } = planned;
    if (plan.messages.length === 0 || this.#isStopped) {
      this.#tally.notReported(planned);
      if (plan.messages.length > 0) this.#tally.skipped(plan.messages.length);
      return;
    }
    const report = await this.planner.pruning.prune(plan, {
      signal: this.planner.signal,
      onProgress: ({ messagesDone, messagesTotal, bytesPruned }) =>
        this.progress.show(
          messagesDone,
          messagesTotal,
          `${planned.session.sessionID}, ${quantities.count(messagesDone)} of ${counted(messagesTotal, "message")}, ${quantities.bytes(bytesPruned)} pruned`,
        ),
    });
    this.#tally.reported(planned, report);
  }
}

const COLUMNS = [
  { title: "SESSION" },
  { title: "MESSAGES", align: "end" },
  { title: "PARTS", align: "end" },
  { title: "SIZE", align: "end" },
  { title: "TITLE", most: 60 },
] as const;
