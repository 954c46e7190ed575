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
