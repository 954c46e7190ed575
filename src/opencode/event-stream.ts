import { createParser } from "eventsource-parser";
import { MalformedError } from "./errors.ts";
import type { Http } from "./http.ts";
import { describeIssue } from "./issue.ts";
import { OpenCodeEvent } from "./schemas.ts";

export interface SubscribeOptions {
  /** Ends the stream: the iteration then throws an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Events of types that it answers false for are dropped before they are parsed. */
  readonly wants?: ((type: string) => boolean) | undefined;
  /** Called whenever bytes arrive, heartbeats included; for watching over silence. */
  readonly onAlive?: (() => void) | undefined;
}

const REQUEST = { method: "GET", path: "/api/event" } as const;
const CALL = "GET /api/event";
/** Characters; far above the largest event that a daemon was seen to send. */
const MAX_EVENT = 128 * 1024 * 1024;

/**
 * The daemon's events, as they come. The iteration ends when the server ends the stream, which always means
 * that events were missed; a broken connection throws. Leaving the loop closes the connection. The server cuts
 * off whoever leaves some 9 MB unread, so do not wait for anything inside the loop.
 */
export async function* subscribe(http: Http, options: SubscribeOptions): AsyncGenerator<OpenCodeEvent, void> {
  const { wants, onAlive } = options;
  const leave = new AbortController();
  const onAbort = () => leave.abort();
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const body = await http.stream(REQUEST, leave.signal);
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const waiting: string[] = [];
    let tooLarge = false;
    const parser = createParser({
      maxBufferSize: MAX_EVENT,
      onEvent: ({ data }) => {
        const type = wants && typeOf(data);
        if (type === undefined || wants?.(type)) waiting.push(data);
      },
      onError: (error) => {
        tooLarge ||= error.type === "max-buffer-size-exceeded";
      },
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onAlive?.();
      parser.feed(decoder.decode(value, { stream: true }));
      if (tooLarge) throw new MalformedError(http.baseUrl, CALL, "", "an event without an end");
      for (const data of waiting) {
        const event = parse(http, data);
        if (wants?.(event.type) !== false) yield event;
      }
      waiting.length = 0;
    }
  } catch (error) {
    throw http.broken(error, CALL, leave.signal);
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    leave.abort();
  }
}

const TYPE = /^\{"id":"[^"\\]*",(?:"created":[\d.]+,)?"type":"([^"\\]*)"/;

/** The type, read from the start of the raw text; undefined when only parsing can tell. */
export function typeOf(data: string): string | undefined {
  return TYPE.exec(data)?.[1];
}

function parse(http: Http, data: string): OpenCodeEvent {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new MalformedError(http.baseUrl, CALL, "", "an event that is not JSON");
  }
  const result = OpenCodeEvent.safeParse(value);
  if (result.success) return value as OpenCodeEvent;
  const { path, reason } = describeIssue(result.error);
  throw new MalformedError(http.baseUrl, CALL, path, reason);
}
