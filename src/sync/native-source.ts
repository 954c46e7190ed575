import { isAssistant, type Message, type OpenCodeClient, type Session } from "#opencode/client";
import { type MessageOutline, outlineMessage, partBytes, revisionOf } from "../contract/index.ts";
import { messagePages, sessionPages } from "../opencode/index.ts";
import { isWanted } from "./event-effect.ts";
import type {
  EventListener,
  EventSource,
  HistorySource,
  MessageReading,
  OutlineReading,
  SessionListing,
} from "./source.ts";
import { unlessMissing } from "./unless-missing.ts";

/**
 * Reads everything through the daemon's own API, which any daemon has: whole messages come over the wire, and
 * are outlined here. A session's fingerprint is the time of its last native change, which a prune does not move.
 */
export function createNativeSource(client: OpenCodeClient): HistorySource {
  return {
    server: client.baseUrl,
    fingerprintKind: "weak",
    async *sessions(signal) {
      const running = new Set(Object.keys(await client.session.active({ signal })));
      for await (const page of sessionPages(client, { signal })) {
        yield await Promise.all(
          page.map((session) => listingOf(client, session, running.has(session.id), signal)),
        );
      }
    },
    session: (sessionID, signal) =>
      unlessMissing(async () => {
        // Whether it runs is asked first: the session is then at least as new as the answer.
        const running = Object.hasOwn(await client.session.active({ signal }), sessionID);
        return listingOf(client, await client.session.get({ sessionID }, { signal }), running, signal);
      }),
    outline: (sessionID, signal) => unlessMissing(() => readOutline(client, sessionID, signal)),
    message: ({ sessionID, messageID }, signal) =>
      unlessMissing(async () =>
        readingOf(sessionID, await client.session.message({ sessionID, messageID }, { signal })),
      ),
    fingerprints: async (sessions) =>
      new Map(sessions.map(({ sessionID, updated }) => [sessionID, fingerprintOf(updated)])),
    usage: async () => undefined,
  };
}

/** The client's event stream. Only the events that sync looks at are parsed. */
export function createEventSource(client: OpenCodeClient): EventSource {
  return {
    async listen(signal: AbortSignal, listener: EventListener) {
      const events = client.event.subscribe({ signal, wants: isWanted, onAlive: listener.alive });
      for await (const event of events) {
        if (event.type === "server.connected") listener.opened();
        else listener.event(event);
      }
    },
  };
}

async function readOutline(
  client: OpenCodeClient,
  sessionID: string,
  signal: AbortSignal,
): Promise<OutlineReading> {
  const before = await client.session.get({ sessionID }, { signal });
  const messages: MessageOutline[] = [];
  const others = { messages: 0, bytes: 0 };
  for await (const page of messagePages(client, { sessionID }, { signal })) {
    for (const message of page) {
      if (isAssistant(message)) {
        messages.push(outlineMessage(message));
      } else {
        others.messages += 1;
        others.bytes += partBytes(message);
      }
    }
  }
  return { messages, others, fingerprint: fingerprintOf(before.time.updated) };
}

async function listingOf(
  client: OpenCodeClient,
  session: Session,
  running: boolean,
  signal: AbortSignal,
): Promise<SessionListing> {
  const idle = session.revert === undefined || session.revert === null ? "idle" : "reverted";
  const active = running && ((await isCompacting(client, session.id, signal)) ? "compacting" : "running");
  return {
    sessionID: session.id,
    title: session.title ?? "",
    directory: session.location.directory,
    projectID: session.projectID,
    ...(session.parentID === undefined ? {} : { parentID: session.parentID }),
    created: session.time.created,
    updated: session.time.updated,
    activity: active || idle,
  };
}

/** The newest compaction of a running session still runs. */
async function isCompacting(
  client: OpenCodeClient,
  sessionID: string,
  signal: AbortSignal,
): Promise<boolean> {
  const page = await unlessMissing(() =>
    client.message.list({ sessionID, limit: 1, order: "desc", type: "compaction" }, { signal }),
  );
  return page?.data[0]?.status === "running";
}

function readingOf(sessionID: string, message: Message): MessageReading {
  const assistant = isAssistant(message);
  const parts = assistant ? message.content : [];
  const content = { sessionID, messageID: message.id, revision: revisionOf(parts), parts };
  return assistant ? { content, outline: outlineMessage(message) } : { content };
}

function fingerprintOf(updated: number): string {
  return `updated:${updated}`;
}
