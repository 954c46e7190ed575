import type { PruneReport, Refusal } from "../state/ports.ts";
import { refusalSentence } from "../words/index.ts";
import type { DocumentBody } from "./documents/index.ts";
import type { SessionPlan } from "./prune-session.ts";
import { counted, quantities, words } from "./words.ts";

type PruneBody = DocumentBody<"prune">;
type Counts = { messages: number; parts: number; bytes: number };
type Tallied = { sessionID: string; title: string; planned: Counts; pruned: Counts };

const none = (): Counts => ({ messages: 0, parts: 0, bytes: 0 });

/** Counts honestly what was meant, what went, and what did not and why. */
export class PruneTally {
  stopped = false;
  /** Something was asked for, so that its outcome has to be told. */
  hasAsked = false;
  readonly #sessions = new Map<string, Tallied>();
  readonly #refused: PruneBody["refused"] = [];
  readonly #leftAlone = new Map<string, PruneBody["leftAlone"][number]>();
  readonly #problems: PruneBody["problems"] = [];
  #skippedMessages = 0;

  /** Something of the history could not be read. */
  failed(sessionID: string, problem: string): void {
    this.#problems.push({ sessionID, problem });
  }

  /** What would be done. `plan.refused` is counted by `reported`, or by `notReported`. */
  planned({ session, plan, refused, leftAlone }: SessionPlan): void {
    const { sessionID, title } = session;
    if (refused) this.#refuse(session, [refused]);
    for (const { reason, parts } of leftAlone) {
      const group = this.#leftAlone.get(reason) ?? { reason, ...none() };
      this.#leftAlone.set(reason, group);
      add(
        group,
        1,
        parts.length,
        parts.reduce((sum, part) => sum + part.bytes, 0),
      );
    }
    if (plan.messages.length === 0) return;
    const planned = { messages: plan.messages.length, parts: plan.parts, bytes: plan.bytes };
    this.#sessions.set(sessionID, { sessionID, title, planned, pruned: none() });
  }

  /** The plan was not asked for. */
  notReported({ session, plan }: SessionPlan): void {
    this.#refuse(session, plan.refused);
  }

  reported({ session, plan }: SessionPlan, report: PruneReport): void {
    this.hasAsked = true;
    this.#refuse(session, report.refused);
    this.#skippedMessages += report.skippedMessages;
    this.stopped ||= report.stopped;
    const tallied = this.#sessions.get(session.sessionID);
    if (tallied && plan.messages.length > 0) {
      add(tallied.pruned, report.prunedMessages, report.prunedParts, report.prunedBytes);
    }
  }

  /** Planned, and not asked for because it stopped before. */
  skipped(messages: number): void {
    this.#skippedMessages += messages;
  }

  get hasPlanned(): boolean {
    return this.#sessions.size > 0;
  }

  /** Nothing was refused but for the plugin, which answers nowhere. */
  get lacksPlugin(): boolean {
    const unavailable = this.#refused.every(({ reason }) => reason === "unavailable");
    return !this.hasPlanned && this.#refused.length > 0 && unavailable;
  }

  body(dryRun: boolean): PruneBody {
    const sessions = [...this.#sessions.values()];
    const isDone = !this.stopped && this.#problems.length === 0 && !this.#refused.some(isOpen);
    return {
      dryRun,
      complete: isDone,
      stopped: this.stopped,
      planned: total(sessions, "planned"),
      pruned: total(sessions, "pruned"),
      skippedMessages: this.#skippedMessages,
      refused: this.#refused,
      leftAlone: [...this.#leftAlone.values()],
      sessions: sessions.map(({ title: _, ...rest }) => rest),
      problems: this.#problems,
    };
  }

  /** For people. */
  lines(dryRun: boolean): readonly string[] {
    const { planned, pruned, skippedMessages } = this.body(dryRun);
    const lines: string[] = [];
    if (planned.sessions === 0) lines.push(this.stopped ? "Nothing was pruned." : "Nothing to prune.");
    else if (dryRun) {
      lines.push(`Would prune ${amount(planned)}.`, "This cannot be undone.");
    } else lines.push(`Pruned ${amount(pruned)}.`);
    lines.push(...this.#refusalLines(), ...this.#leftAloneLines());
    for (const { sessionID, problem } of this.#problems) lines.push(`Not read: ${sessionID}. ${problem}`);
    if (this.stopped) {
      lines.push(
        skippedMessages > 0
          ? `Stopped: ${counted(skippedMessages, "planned message")} not asked for.`
          : "Stopped: nothing more was asked for.",
      );
    }
    return lines;
  }

  /** One row a session with what is meant of it, the heaviest first. */
  rows(): readonly (readonly string[])[] {
    return [...this.#sessions.values()]
      .sort((one, other) => other.planned.bytes - one.planned.bytes)
      .map(({ sessionID, title, planned }) => [
        sessionID,
        quantities.count(planned.messages),
        quantities.count(planned.parts),
        quantities.bytes(planned.bytes),
        title,
      ]);
  }

  /** Messages of a session, or all of it. */
  #refuse(
    { sessionID, directory }: SessionPlan["session"],
    refusals: readonly (Omit<Refusal, "messageID" | "sessionID"> & { readonly messageID?: string })[],
  ): void {
    for (const { messageID, parts, reason } of refusals) {
      this.#refused.push({
        sessionID,
        ...(messageID === undefined ? {} : { messageID }),
        parts,
        reason,
        ...(reason === "folder_unusable" ? { directory } : {}),
      });
    }
  }

  #refusalLines(): readonly string[] {
    const parts = new Map<string, number>();
    for (const { reason, directory = "", parts: more } of this.#refused) {
      const sentence = refusalSentence(words, reason, directory);
      parts.set(sentence, (parts.get(sentence) ?? 0) + more);
    }
    return [...parts].map(([sentence, count]) => `Not pruned: ${counted(count, "part")}. ${sentence}`);
  }

  #leftAloneLines(): readonly string[] {
    return [...this.#leftAlone.values()].map(
      ({ reason, parts }) => `Left alone: ${counted(parts, "part")} (${words.unprunableShort[reason]}).`,
    );
  }
}

/** What vanished is gone already, as it was meant to be. */
function isOpen({ reason }: PruneBody["refused"][number]): boolean {
  return reason !== "vanished";
}

function add(counts: Counts, messages: number, parts: number, bytes: number): void {
  counts.messages += messages;
  counts.parts += parts;
  counts.bytes += bytes;
}

function total(sessions: readonly Tallied[], which: "planned" | "pruned"): PruneBody["planned"] {
  const sum = { sessions: 0, ...none() };
  for (const { [which]: counts } of sessions) {
    if (counts.parts === 0) continue;
    sum.sessions += 1;
    add(sum, counts.messages, counts.parts, counts.bytes);
  }
  return sum;
}

function amount({ sessions, messages, parts, bytes }: PruneBody["planned"]): string {
  const where = sessions > 1 ? ` in ${counted(sessions, "session")}` : "";
  return `${counted(parts, "part")} (${quantities.bytes(bytes)}) of ${counted(messages, "message")}${where}`;
}
