import type { AppState } from "../../src/state/index.ts";
import { cellsOf } from "../../src/text/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";
import type { Style } from "./theme.ts";
import { useView } from "./view-context.ts";

/** The server, the connection, the plugin, who answers the reads, the cache. */
export function StatusLine({ state }: { readonly state: AppState }) {
  const { columns, words } = useView();
  return <Line segments={fitting(statusSegments(state, words), columns)} />;
}

/** Without what can be done without, where the line is too narrow for all of it. */
function fitting(segments: readonly Segment[], columns: number): readonly Segment[] {
  const [server, ...rest] = segments;
  if (server === undefined || cellsOfLine(segments) <= columns) return joined(segments);
  const shorter = { ...server, text: server.text.replace(/^https?:\/\//, "") };
  if (cellsOfLine([shorter, ...rest]) <= columns) return joined([shorter, ...rest]);
  return joined([shorter, ...rest.filter((segment) => segment.style !== "quiet")]);
}

function joined(segments: readonly Segment[]): readonly Segment[] {
  return segments.flatMap((segment, index) => (index === 0 ? [segment] : [SEPARATOR, segment]));
}

function cellsOfLine(segments: readonly Segment[]): number {
  return segments.reduce((sum, { text }) => sum + cellsOf(text), 0) + 3 * (segments.length - 1);
}

function statusSegments(state: AppState, words: Words): readonly Segment[] {
  const segments: readonly Segment[] = [
    { text: state.history.server, style: "quiet" },
    connectionSegment(state, words),
    pluginSegment(state, words),
    readsSegment(state, words),
    cacheSegment(state, words),
  ];
  return segments.filter((segment) => segment.text !== "");
}

const SEPARATOR: Segment = { text: "│", spoken: "", style: "quiet" };

function connectionSegment({ history, now }: AppState, words: Words): Segment {
  const { phase, retryAt } = history.connection;
  const text = [
    words.connection[phase],
    retryAt !== undefined && retryAt > now
      ? words.retryIn(words.say.duration(Math.ceil((retryAt - now) / 1000) * 1000))
      : "",
  ];
  const style: Style = phase === "live" ? "good" : phase === "connecting" ? "quiet" : "danger";
  return { text: text.filter(Boolean).join(", "), style };
}

function pluginSegment({ plugin, changingPlugin }: AppState, words: Words): Segment {
  if (changingPlugin !== undefined) return { text: words.plugin.changing[changingPlugin], style: "warning" };
  if (plugin.state === "ready") {
    return { text: plugin.provider === "ours" ? words.plugin.ready : words.plugin.published, style: "good" };
  }
  return { text: words.plugin[plugin.state], style: plugin.state === "unknown" ? "quiet" : "danger" };
}

function readsSegment({ history }: AppState, words: Words): Segment {
  if (history.reads === undefined) return { text: "" };
  return { text: words.reads[history.reads], style: history.reads === "plugin" ? "good" : "plain" };
}

function cacheSegment({ history }: AppState, words: Words): Segment {
  const { reading, unconfirmed } = countUnread(history.sessions);
  if (reading > 0) return { text: words.cache.reading(reading), style: "warning" };
  if (unconfirmed > 0) return { text: words.cache.unconfirmed(unconfirmed), style: "warning" };
  if (history.cache === undefined) return { text: "" };
  return {
    text: words.cache[history.cache.state],
    style: history.cache.state === "kept" ? "quiet" : "warning",
  };
}

interface Unread {
  readonly reading: number;
  readonly unconfirmed: number;
}

const counted = new WeakMap<AppState["history"]["sessions"], Unread>();

/** Counted once for each list of sessions, not once for each frame. */
function countUnread(sessions: AppState["history"]["sessions"]): Unread {
  const known = counted.get(sessions);
  if (known !== undefined) return known;
  let reading = 0;
  let unconfirmed = 0;
  for (const session of sessions.values()) {
    if (session.refreshing) reading += 1;
    if (!session.confirmed) unconfirmed += 1;
  }
  counted.set(sessions, { reading, unconfirmed });
  return { reading, unconfirmed };
}
