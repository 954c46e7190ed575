import { callDaemon, type DaemonAddress } from "./daemon-request.ts";

/** A message as the native API answers it. Only an assistant's has `content`. */
export interface NativeMessage {
  readonly id: string;
  readonly type: string;
  readonly time: { readonly created: number; readonly completed?: number };
  readonly content: readonly { readonly type: string }[];
}

export interface StoredMessage {
  readonly sessionID: string;
  readonly message: NativeMessage;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly cursor: { readonly next?: string };
}

const PAGE = 200;
const MANY = 10_000;

/** Every settled message of every session, through the native API, in a fixed order. */
export async function nativeMessages(daemon: DaemonAddress): Promise<StoredMessage[]> {
  const sessions = (await callDaemon(daemon, "GET", `/api/session?limit=${MANY}`)) as Page<{ id: string }>;
  const all: StoredMessage[] = [];
  for (const { id } of [...sessions.data].sort((a, b) => (a.id < b.id ? -1 : 1)))
    for (const message of await messagesOf(daemon, id))
      if (message.type !== "assistant" || message.time.completed !== undefined)
        all.push({ sessionID: id, message });
  return all;
}

/** The messages of one session, oldest first. */
export async function messagesOf(daemon: DaemonAddress, sessionID: string): Promise<NativeMessage[]> {
  const all: NativeMessage[] = [];
  let query = "order=asc";
  for (;;) {
    const path = `/api/session/${sessionID}/message?limit=${PAGE}&${query}`;
    const page = (await callDaemon(daemon, "GET", path)) as Page<NativeMessage>;
    all.push(...page.data);
    if (page.data.length < PAGE || page.cursor.next === undefined) return all;
    query = `cursor=${encodeURIComponent(page.cursor.next)}`;
  }
}
