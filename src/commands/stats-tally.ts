import type { MessageOutline } from "../contract/index.ts";
import { type MatchingMessage, matchingParts, type PartFilter } from "../pruning/index.ts";
import type { SessionListing } from "../sync/index.ts";
import type { DocumentBody } from "./documents/index.ts";

type StatsBody = DocumentBody<"stats">;
interface Group {
  parts: number;
  bytes: number;
}
type Counts = StatsBody["prunable"];

/** Adds up what is technical, session by session, and what a prune would free of it. */
export class StatsTally {
  readonly #filter: PartFilter;
  readonly #projects = new Map<string, StatsBody["byProject"][number]>();
  readonly #tools = new Map<string, StatsBody["byTool"][number]>();
  readonly #months = new Map<string, Group>();
  readonly #technical: Group = { parts: 0, bytes: 0 };
  readonly #prunable: Counts = { sessions: 0, messages: 0, parts: 0, bytes: 0 };
  readonly #busy: Counts = { sessions: 0, messages: 0, parts: 0, bytes: 0 };
  readonly #problems: StatsBody["problems"] = [];
  #sessions = 0;
  #messages = 0;
  #storedBytes = 0;

  constructor(filter: PartFilter) {
    this.#filter = filter;
  }

  failed(sessionID: string, problem: string): void {
    this.#problems.push({ sessionID, problem });
  }

  add(session: SessionListing, messages: readonly MessageOutline[]): void {
    const { projectID, directory, activity } = session;
    this.#sessions += 1;
    this.#messages += messages.length;
    const project = known(this.#projects, JSON.stringify([projectID, directory]), () => ({
      projectID,
      directory,
      sessions: 0,
      parts: 0,
      bytes: 0,
    }));
    project.sessions += 1;
    for (const message of messages) {
      this.#storedBytes += message.storedBytes;
      for (const { type, toolName, bytes, created } of message.parts) {
        const tool = known(this.#tools, JSON.stringify([type, toolName]), () => ({
          type,
          ...(toolName === undefined ? {} : { tool: toolName }),
          parts: 0,
          bytes: 0,
        }));
        const month = known(this.#months, monthOf(created ?? message.created), () => ({
          parts: 0,
          bytes: 0,
        }));
        for (const group of [this.#technical, project, tool, month]) {
          group.parts += 1;
          group.bytes += bytes;
        }
      }
    }
    addMatches(
      activity === "idle" ? this.#prunable : this.#busy,
      matchingParts(messages, this.#filter).prunable,
    );
  }

  body(): StatsBody {
    return {
      sessions: this.#sessions,
      messages: this.#messages,
      storedBytes: this.#storedBytes,
      technical: this.#technical,
      byProject: [...this.#projects.values()].sort(heaviestFirst),
      byTool: [...this.#tools.values()].sort(heaviestFirst),
      byMonth: [...this.#months]
        .map(([month, group]) => ({ month, ...group }))
        .sort((one, other) => other.month.localeCompare(one.month)),
      prunable: this.#prunable,
      busy: this.#busy,
      problems: this.#problems,
    };
  }
}

function addMatches(counts: Counts, matches: readonly MatchingMessage[]): void {
  if (matches.length > 0) counts.sessions += 1;
  for (const { parts } of matches) {
    counts.messages += 1;
    counts.parts += parts.length;
    counts.bytes += parts.reduce((sum, part) => sum + part.bytes, 0);
  }
}

/** Such as 2026-11, in UTC. */
function monthOf(moment: number): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 7);
}

function heaviestFirst(one: Group, other: Group): number {
  return other.bytes - one.bytes;
}

function known<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
