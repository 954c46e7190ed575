import {
  appendOutlines,
  FINGERPRINT_METHOD,
  FingerprintOutput,
  MAX_NAMED_SESSIONS,
  type MessageOutline,
  OUTLINE_METHOD,
  OutlineOutput,
  READING_RPC,
  type SessionUsage as StoredUsage,
  USAGE_METHOD,
  UsageOutput,
} from "../contract/index.ts";
import { answerPages, type OpenCodeClient, type PagedMethod } from "../opencode/index.ts";
import type { ReadsThrough } from "../state/ports.ts";
import { createNativeSource } from "./native-source.ts";
import { atFirstThatServes, type Method, OptionalMethods } from "./rpc-call.ts";
import type { HistorySource, OutlineReading, SessionListing, SessionUsage } from "./source.ts";
import { unlessMissing } from "./unless-missing.ts";

const OUTLINE: Method<OutlineOutput> = { rpcID: READING_RPC, method: OUTLINE_METHOD, output: OutlineOutput };
const USAGE: Method<UsageOutput> = { rpcID: READING_RPC, method: USAGE_METHOD, output: UsageOutput };
const FINGERPRINT: Method<FingerprintOutput> = {
  rpcID: READING_RPC,
  method: FINGERPRINT_METHOD,
  output: FingerprintOutput,
};

/** How many locations are tried for a question that any of them can answer. */
const ANYWHERE = 5;
/** How often a scan is begun again when its cursor went stale, as after an update of the plugin. */
const SCANS = 2;

export interface RpcSource extends HistorySource {
  /** Who answered last, by method; absent until it was asked for the first time. */
  readonly readsThrough: Readonly<Partial<Record<"outline" | "fingerprint" | "usage", ReadsThrough>>>;
}

/**
 * Reads through the plugin's reading RPC, and, method by method, through the daemon's own API where that is not
 * served or refuses.
 */
export function createRpcSource(
  client: OpenCodeClient,
  native: HistorySource = createNativeSource(client),
  now: () => number = Date.now,
): RpcSource {
  return new ReadingRpcSource(client, native, now);
}

class ReadingRpcSource implements RpcSource {
  readonly #client: OpenCodeClient;
  readonly #native: HistorySource;
  readonly #methods: OptionalMethods;
  /** Where each session is, newest first, as far as it was listed. */
  readonly #directories = new Map<string, string>();
  readonly readsThrough: { outline?: ReadsThrough; fingerprint?: ReadsThrough; usage?: ReadsThrough } = {};

  constructor(client: OpenCodeClient, native: HistorySource, now: () => number) {
    this.#client = client;
    this.#native = native;
    this.#methods = new OptionalMethods(client, now);
  }

  get server(): string {
    return this.#native.server;
  }

  /** Of the fingerprints that were asked for last. */
  get fingerprintKind(): "exact" | "weak" {
    return this.readsThrough.fingerprint === "plugin" ? "exact" : this.#native.fingerprintKind;
  }

  /** Of what weighs most: outlines, as soon as one was read. */
  get answeredBy(): ReadsThrough | undefined {
    const { outline, fingerprint, usage } = this.readsThrough;
    return outline ?? fingerprint ?? usage;
  }

  async *sessions(signal: AbortSignal): AsyncIterable<readonly SessionListing[]> {
    for await (const page of this.#native.sessions(signal)) {
      for (const { sessionID, directory } of page) this.#directories.set(sessionID, directory);
      yield page;
    }
  }

  async session(sessionID: string, signal: AbortSignal): Promise<SessionListing | undefined> {
    const listing = await this.#native.session(sessionID, signal);
    if (listing) this.#directories.set(sessionID, listing.directory);
    else this.#directories.delete(sessionID);
    return listing;
  }

  message: HistorySource["message"] = (reference, signal) => this.#native.message(reference, signal);

  async outline(sessionID: string, signal: AbortSignal): Promise<OutlineReading | undefined> {
    const fingerprint = (await this.#fingerprintsOf([sessionID], signal))?.get(sessionID);
    const scanned = await this.#scan(sessionID, signal);
    if (scanned !== "not_served") {
      this.readsThrough.outline = "plugin";
      return scanned && { ...scanned, ...(fingerprint === undefined ? {} : { fingerprint }) };
    }
    this.readsThrough.outline = "native";
    const outline = await this.#native.outline(sessionID, signal);
    return outline && { ...outline, ...(fingerprint === undefined ? {} : { fingerprint }) };
  }

  async fingerprints(
    sessions: readonly SessionListing[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const ids = sessions.map(({ sessionID }) => sessionID);
    const fingerprints = await this.#fingerprintsOf(ids, signal);
    this.readsThrough.fingerprint = fingerprints ? "plugin" : "native";
    return fingerprints ?? this.#native.fingerprints(sessions, signal);
  }

  async usage(signal: AbortSignal): Promise<ReadonlyMap<string, SessionUsage> | undefined> {
    const sessions = await this.#usageOf(undefined, signal);
    this.readsThrough.usage = sessions ? "plugin" : "native";
    if (!sessions) return this.#native.usage(signal);
    return new Map(
      sessions.map(({ sessionID, messages, storedBytes }) => [sessionID, { messages, storedBytes }]),
    );
  }

  /** Undefined when the daemon does not have the session. */
  async #scan(sessionID: string, signal: AbortSignal): Promise<OutlineReading | undefined | "not_served"> {
    for (let scans = 0; scans < SCANS; scans += 1) {
      const directory = await this.#directoryOf(sessionID, scans > 0, signal);
      if (directory === undefined) return undefined;
      const messages = await this.#pages(sessionID, directory, signal);
      if (messages === "not_served") return messages;
      if (messages === "again") continue;
      const usage = (await this.#usageOf([sessionID], signal))?.[0];
      return { messages, others: othersOf(usage, messages) };
    }
    return "not_served";
  }

  async #pages(
    sessionID: string,
    directory: string,
    signal: AbortSignal,
  ): Promise<MessageOutline[] | "again" | "not_served"> {
    const messages: MessageOutline[] = [];
    const pages = this.#paged(OUTLINE, { sessionID }, [directory]);
    for await (const page of answerPages(pages, signal)) {
      if (page === undefined) return "not_served";
      if (page.status === "refused") return mayGoAgain(page.reason) ? "again" : "not_served";
      appendOutlines(messages, page.messages);
    }
    return messages;
  }

  async #directoryOf(sessionID: string, afresh: boolean, signal: AbortSignal): Promise<string | undefined> {
    const known = afresh ? undefined : this.#directories.get(sessionID);
    if (known !== undefined) return known;
    const session = await unlessMissing(() => this.#client.session.get({ sessionID }, { signal }));
    if (session) this.#directories.set(sessionID, session.location.directory);
    return session?.location.directory;
  }

  /** Undefined where the plugin does not tell. */
  async #fingerprintsOf(
    sessionIDs: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, string> | undefined> {
    const known = new Map<string, string>();
    let open = sessionIDs;
    while (open.length > 0) {
      const asked = open.slice(0, MAX_NAMED_SESSIONS);
      const answer = await atFirstThatServes(this.#whereToAsk(asked), (directory) =>
        this.#methods.call(FINGERPRINT, { sessionIDs: asked }, directory, signal),
      );
      if (answer?.status !== "fingerprints") return undefined;
      for (const { sessionID, fingerprint } of answer.fingerprints)
        known.set(sessionID, `rows:${fingerprint}`);
      open = [...answer.unread, ...open.slice(asked.length)];
    }
    return known;
  }

  /** Of all sessions, or of the given ones; undefined where the plugin does not tell. */
  async #usageOf(
    sessionIDs: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly StoredUsage[] | undefined> {
    const sessions: StoredUsage[] = [];
    const pages = this.#paged(USAGE, sessionIDs ? { sessionIDs } : {}, this.#whereToAsk(sessionIDs ?? []));
    for await (const page of answerPages(pages, signal)) {
      if (page?.status !== "page") return undefined;
      sessions.push(...page.sessions);
    }
    return sessions;
  }

  #paged<Output>(method: Method<Output>, input: object, directories: Iterable<string>): PagedMethod<Output> {
    return {
      ask: (cursor, signal) =>
        atFirstThatServes(directories, (directory) =>
          this.#methods.ask(method, cursor === undefined ? input : { ...input, cursor }, directory, signal),
        ),
      check: (answer) => (answer === undefined ? undefined : this.#methods.check(method, answer)),
    };
  }

  /** Locations whose services run already, as a rule: a session's own, then the newest. */
  #whereToAsk(sessionIDs: readonly string[]): Iterable<string> {
    const directories = new Set<string>();
    const own = sessionIDs.length === 1 ? this.#directories.get(sessionIDs[0] ?? "") : undefined;
    if (own !== undefined) directories.add(own);
    for (const directory of this.#directories.values()) {
      if (directories.size >= ANYWHERE) break;
      directories.add(directory);
    }
    return directories;
  }
}

function mayGoAgain(reason: string): boolean {
  return reason.startsWith("cursor_") || reason === "other_location" || reason === "missing";
}

function othersOf(usage: StoredUsage | undefined, messages: readonly MessageOutline[]) {
  const bytes = messages.reduce((total, message) => total + message.storedBytes, 0);
  return {
    messages: Math.max(0, (usage?.messages ?? 0) - messages.length),
    bytes: Math.max(0, (usage?.storedBytes ?? 0) - bytes),
  };
}
