import type { Message, OpenCodeClient, Session } from "./client.ts";
import type { CallOptions } from "./http.ts";

/** The daemon accepts large ones, and pages cost it more than sessions do. */
const SESSIONS_A_PAGE = 2_000;
/** The most that the daemon gives. */
const MESSAGES_A_PAGE = 200;

/** All sessions of all locations, newest first, page by page. */
export async function* sessionPages(
  client: OpenCodeClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Session[], void> {
  yield* pages(SESSIONS_A_PAGE, (cursor) =>
    client.session.list({ limit: SESSIONS_A_PAGE, ...(cursor === undefined ? {} : { cursor }) }, options),
  );
}

/** The messages of a session with their content, oldest first, page by page; with a type, those alone. */
export async function* messagePages(
  client: OpenCodeClient,
  { sessionID, type }: { readonly sessionID: string; readonly type?: string },
  options: CallOptions = {},
): AsyncGenerator<readonly Message[], void> {
  yield* pages(MESSAGES_A_PAGE, (cursor) =>
    client.message.list(
      {
        sessionID,
        limit: MESSAGES_A_PAGE,
        ...(type === undefined ? {} : { type }),
        ...(cursor === undefined ? { order: "asc" } : { cursor }),
      },
      options,
    ),
  );
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly cursor: { readonly next?: string | null | undefined };
}

/** The last full page still names a next one: a page that is shorter than asked is the last. */
async function* pages<Item>(
  size: number,
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[], void> {
  for (let cursor: string | undefined; ; ) {
    const { data, cursor: around } = await read(cursor);
    if (data.length > 0) yield data;
    if (data.length < size || !around.next) return;
    cursor = around.next;
  }
}

export interface PagedMethod<Output> {
  /** Asks for a page: the first one, or the one that the cursor names. */
  ask(cursor: string | undefined, signal: AbortSignal): Promise<unknown>;
  /** Undefined where the answer is not what the method promises. */
  check(answer: unknown): Output | undefined;
}

/**
 * A plugin's answers page by page, until one names no next page or is not what the method promises: then undefined is
 * the last. The next page is asked for before this one is checked, so that the daemon reads while the caller works;
 * a caller that leaves the loop takes the question back.
 */
export async function* answerPages<Output>(
  { ask, check }: PagedMethod<Output>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Output | undefined, void> {
  const asking = new AbortController();
  const abort = () => asking.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (let asked: Promise<unknown> | undefined = ask(undefined, asking.signal); asked; ) {
      const answer = await asked;
      const cursor = cursorOf(answer);
      asked = cursor === undefined ? undefined : ask(cursor, asking.signal);
      // A failure is met where the page is waited for.
      asked?.catch(() => {});
      const output = check(answer);
      yield output;
      if (output === undefined) return;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    abort();
  }
}

function cursorOf(answer: unknown): string | undefined {
  const cursor = (answer as { readonly cursor?: unknown } | null | undefined)?.cursor;
  return typeof cursor === "string" ? cursor : undefined;
}
