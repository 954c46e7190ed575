import { OUTLINE_METHOD, type OutlineOutput } from "../../contract/index.ts";
import type { PruningDatabase } from "../pruning-database.ts";
import { outlinePage } from "./outline.ts";
import type { ReadRequest } from "./reader.ts";
import type { Reading, Scan } from "./scan.ts";

/**
 * Reads the page that will most likely be asked for next while the one before it is on its way to the caller. It is
 * given out only if nobody has written to the database since it was begun, so it is never older than a page that
 * would be read now.
 */
export class ReadAhead {
  #next: Next | undefined;

  /** The next page of an outline that has just been answered, if there is one. */
  begin(reading: Reading, request: ReadRequest, output: unknown): void {
    this.#next = undefined;
    const { call } = request;
    const page = output as OutlineOutput;
    if (call.method !== OUTLINE_METHOD || page.status !== "page" || page.cursor === null) return;
    const input = { sessionID: call.input.sessionID, cursor: page.cursor };
    this.#next = {
      name: nameOf({ ...request, call: { method: OUTLINE_METHOD, input } }),
      database: reading.database,
      version: versionOf(reading.database),
      scan: outlinePage(reading, input),
      page: undefined,
    };
  }

  /** Goes one step on. Answers whether there is another. */
  step(): boolean {
    const next = this.#next;
    if (!next || next.page) return false;
    try {
      const step = next.scan.next();
      if (step.done) next.page = step.value;
      return !step.done;
    } catch {
      // Whoever asks for the page meets the same failure.
      this.#next = undefined;
      return false;
    }
  }

  /** What was read ahead for this request, to be finished by whoever takes it; undefined when it is not that. */
  take(database: PruningDatabase, request: ReadRequest): Scan<OutlineOutput> | undefined {
    const next = this.#next;
    this.#next = undefined;
    const isCurrent =
      next?.database === database && next.name === nameOf(request) && next.version === versionOf(database);
    return next && isCurrent ? finish(next) : undefined;
  }
}

interface Next {
  readonly name: string;
  readonly database: PruningDatabase;
  /** Changes with every commit of anybody else. */
  readonly version: unknown;
  readonly scan: Scan<OutlineOutput>;
  page: OutlineOutput | undefined;
}

function* finish(next: Next): Scan<OutlineOutput> {
  return next.page ?? (yield* next.scan);
}

function versionOf(database: PruningDatabase): unknown {
  return database.statement("PRAGMA data_version").get()?.data_version;
}

function nameOf(request: ReadRequest): string {
  return JSON.stringify([request.path, request.location, request.call]);
}
