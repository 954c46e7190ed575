import type { CachedOutline, CachedSession, SessionToKeep } from "./cached-session.ts";
import { checkedID } from "./checked-id.ts";
import {
  type DatabaseLimits,
  isBusy,
  isDamage,
  type OpenedDatabase,
  openDatabase,
  reasonOf,
  setAside,
} from "./open-database.ts";
import { contentToRow, listingToRow, messageToRow, outlineFromRows, sessionFromRow } from "./rows.ts";
import { prepareReads, prepareWrites, type ReadStatements, type WriteStatements } from "./statements.ts";

export interface CacheOptions {
  /** See `cacheFolder`. */
  readonly folder: string;
  /** The daemon's address; what belongs to different ones never mixes. */
  readonly server: string;
  readonly limits?: DatabaseLimits;
}

export type CacheState =
  | { readonly state: "disk"; readonly path: string }
  /** Nothing is kept after the app ends. */
  | { readonly state: "memory"; readonly problem: string }
  /** Something failed while the app ran: what was learned since is not kept. */
  | { readonly state: "stopped"; readonly problem: string };

/** What SQLite takes for no limit. */
const EVERY = -1;

export type Written =
  | "written"
  /** Another process is writing; try again soon. */
  | "busy"
  | "stopped";

/**
 * The message cache of one server. It is a cache: nothing in it is the only copy of anything, and nothing that
 * goes wrong with it stops the app. Its methods throw for what is not an id, and for nothing else.
 */
export class MessageCache {
  readonly #opened: OpenedDatabase | undefined;
  readonly #reads: ReadStatements | undefined;
  #writes: WriteStatements | undefined;
  #server = 0;
  #stopped: string | undefined;

  constructor({ folder, server, limits }: CacheOptions) {
    try {
      this.#opened = openDatabase(folder, limits);
      this.#reads = prepareReads(this.#opened.database);
      const { server: find } = this.#reads;
      if (find.get(server) === undefined) this.#preparedWrites(this.#opened).addServer.run(server);
      this.#server = find.get(server) ?? 0;
    } catch (error) {
      this.#stop(error);
    }
  }

  get state(): CacheState {
    if (this.#stopped !== undefined || !this.#opened) {
      return { state: "stopped", problem: this.#stopped ?? "" };
    }
    const { path, problems } = this.#opened;
    return path === undefined ? { state: "memory", problem: problems.at(-1) ?? "" } : { state: "disk", path };
  }

  /** What was wrong with the file when it was opened, each in one sentence. */
  get problems(): readonly string[] {
    return this.#opened?.problems ?? [];
  }

  /** The sessions that are kept, those with the most technical bytes first; at most so many. */
  sessions(most = EVERY): readonly CachedSession[] {
    return this.#read(({ sessions }) => sessions.all(this.#server, most).map(sessionFromRow)) ?? [];
  }

  /** What is kept of a session's messages; undefined when nothing is. */
  outline(sessionID: string): CachedOutline | undefined {
    const id = checkedID(sessionID, "session");
    return this.#read(({ content, messages }) => {
      const totals = content.get(this.#server, id);
      return totals && outlineFromRows(totals, messages.all(this.#server, id));
    });
  }

  /** Keeps sessions, all of them or none. What is kept already as it is, is not written again. */
  keep(sessions: readonly SessionToKeep[]): Written {
    const rows = sessions.map(({ listing, content }) => ({
      listing: listingToRow(listing),
      content: content && contentToRow(content.totals, content.outline),
      messages: content?.outline.messages.map(messageToRow) ?? [],
    }));
    return this.#write((writes, reads) => {
      for (const { listing, content, messages } of rows) {
        const place = { server: this.#server, session: listing.id };
        writes.putListing.run({ server: this.#server, ...listing });
        if (!content) continue;
        writes.putContent.run({ ...place, ...content });
        const gone = new Map(
          reads.messages.all(place.server, place.session).map((row) => [row.id, row] as const),
        );
        for (const message of messages) {
          const known = gone.get(message.id);
          gone.delete(message.id);
          if (!known || JSON.stringify(known) !== JSON.stringify(message)) {
            writes.putMessage.run({ ...place, ...message });
          }
        }
        for (const id of gone.keys()) writes.deleteMessage.run(place.server, place.session, id);
      }
    });
  }

  forget(sessionIDs: readonly string[]): Written {
    const ids = sessionIDs.map((sessionID) => checkedID(sessionID, "session"));
    return this.#write(({ deleteSession }) => {
      for (const id of ids) deleteSession.run(this.#server, id);
    });
  }

  close(): void {
    this.#stopped ??= "The cache is closed.";
    this.#opened?.database.close();
  }

  #preparedWrites({ database }: OpenedDatabase): WriteStatements {
    this.#writes ??= prepareWrites(database);
    return this.#writes;
  }

  #read<T>(run: (reads: ReadStatements) => T): T | undefined {
    if (this.#stopped !== undefined || !this.#reads) return undefined;
    try {
      return run(this.#reads);
    } catch (error) {
      if (!isBusy(error)) this.#stop(error);
      return undefined;
    }
  }

  #write(run: (writes: WriteStatements, reads: ReadStatements) => void): Written {
    const [opened, reads] = [this.#opened, this.#reads];
    if (this.#stopped !== undefined || !opened || !reads) return "stopped";
    try {
      const writes = this.#preparedWrites(opened);
      opened.database.transaction(() => run(writes, reads)).immediate();
      return "written";
    } catch (error) {
      if (isBusy(error)) return "busy";
      this.#stop(error);
      return "stopped";
    }
  }

  #setAside(path: string, inode: number): string | undefined {
    try {
      this.#opened?.database.close();
      return setAside(path, inode);
    } catch {
      return undefined;
    }
  }

  #stop(error: unknown): void {
    const { path = "in memory", inode = 0 } = this.#opened ?? {};
    const moved = isDamage(error) && inode !== 0 ? this.#setAside(path, inode) : undefined;
    if (moved !== undefined) {
      this.#stopped = `The cache ${path} is damaged (${reasonOf(error)}); it was set aside as ${moved}, nothing more is kept in this run, and the next one begins a new file.`;
      return;
    }
    this.#stopped = `The cache ${path} failed (${reasonOf(error)}); nothing more is kept in this run, so look at the free space, or delete the file: everything in it can be read again.`;
  }
}
