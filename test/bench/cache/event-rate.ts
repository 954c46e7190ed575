import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { OpenCode } from "#opencode/client";
import { outlineMessage } from "../../../src/contract/index.ts";
import {
  createEventSource,
  createHistory,
  type EventSource,
  type HistorySource,
  type SessionListing,
} from "../../../src/sync/index.ts";
import { note, report } from "./report.ts";

const RATE = 20_000;
const SECONDS = 5;
const SESSIONS = 200;

/** 20,000 events a second, alone through the stream reader, and through a whole history that keeps up with them. */
for (const [name, listen] of [
  ["the stream reader", readerAlone],
  ["a whole history", wholeHistory],
] as const) {
  const server = spawn(process.execPath, [
    fileURLToPath(new URL("event-server.mjs", import.meta.url)),
    String(RATE),
    String(SECONDS),
  ]);
  const lines: string[] = [];
  server.stdout.on("data", (chunk: Buffer) =>
    lines.push(...chunk.toString("utf8").split("\n").filter(Boolean)),
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const events = createEventSource(OpenCode.make({ baseUrl: `http://127.0.0.1:${lines[0]}` }));
  const before = process.cpuUsage();
  const start = performance.now();
  const seen = await listen(events);
  const elapsed = (performance.now() - start) * 1_000;
  const cpu = process.cpuUsage(before);
  await ended;
  const { sent, native, mostUnread, wasCut, rate } = JSON.parse(lines[1] ?? "{}");
  const share = (100 * (cpu.user + cpu.system)) / elapsed;
  report(
    `${sent} events at ${Math.round(rate)} a second through ${name}`,
    `${seen} of ${native} that change something arrived, ${wasCut ? "cut off" : "never cut"}, at most ${(mostUnread / 1_024).toFixed(0)} KiB unread`,
    "none lost, never cut",
    seen === native && !wasCut && sent === RATE * SECONDS,
  );
  note(`CPU: ${share.toFixed(0)} % of one core`);
}

async function readerAlone(events: EventSource): Promise<number> {
  let seen = 0;
  await events.listen(new AbortController().signal, {
    opened: () => {},
    alive: () => {},
    event: () => {
      seen += 1;
    },
  });
  return seen;
}

async function wholeHistory(events: EventSource): Promise<number> {
  let seen = 0;
  const watched: EventSource = {
    listen: (signal, listener) =>
      events.listen(signal, {
        ...listener,
        event: (event) => {
          seen += 1;
          listener.event(event);
        },
      }),
  };
  const history = createHistory({ source: quickSource(), events: watched });
  let frames = 0;
  history.onChange(() => {
    history.snapshot();
    frames += 1;
  });
  history.show(Array.from({ length: 30 }, (_, n) => `ses_${n}`));
  const lost = new Promise<void>((resolve) => history.onNotice(({ kind }) => kind === "lost" && resolve()));
  history.start();
  await lost;
  history.stop();
  note(`${frames} snapshots in ${SECONDS} s`);
  return seen;
}

/** A daemon that answers at once, so that only our own work is measured. */
function quickSource(): HistorySource {
  const listings = Array.from(
    { length: SESSIONS },
    (_, n): SessionListing => ({
      sessionID: `ses_${n}`,
      title: `Session ${n}`,
      directory: "/work/project",
      projectID: "global",
      created: n,
      updated: n,
      activity: "running",
    }),
  );
  const messageOf = (sessionID: string) => {
    const id = sessionID.replace("ses", "msg");
    const content = [{ type: "reasoning", text: "thinking" }];
    return { id, time: { created: 1, completed: 2 }, content };
  };
  return {
    server: "http://quick",
    fingerprintKind: "exact",
    async *sessions() {
      yield listings;
    },
    session: async (sessionID) => listings.find((listing) => listing.sessionID === sessionID),
    outline: async (sessionID) => ({
      messages: [outlineMessage(messageOf(sessionID))],
      others: { messages: 0, bytes: 0 },
      fingerprint: "f",
    }),
    message: async (reference) => ({
      content: { ...reference, revision: "", parts: [] },
      outline: outlineMessage(messageOf(reference.sessionID)),
    }),
    fingerprints: async () => new Map(),
    usage: async () => undefined,
  };
}
