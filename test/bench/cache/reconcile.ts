import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageCache } from "../../../src/cache/index.ts";
import { PRUNING_RPC, revisionOf } from "../../../src/contract/index.ts";
import type { HistorySnapshot } from "../../../src/state/ports.ts";
import {
  createEventSource,
  createHistory,
  createNativeSource,
  createRpcSource,
  type History,
  type HistorySource,
} from "../../../src/sync/index.ts";
import { startProxy } from "../../native/support/proxy.ts";
import { processorTime } from "./processor-time.ts";
import { median, note, report } from "./report.ts";
import { seedDaemon } from "./seeded-daemon.ts";

const SESSIONS = 1_000;
const MESSAGES = 20;
/** As heavy as the messages of a real session of 8,000 messages and 104 MB. */
const OUTPUT = 12_500;

/** Coming back after a lost connection with 1,000 cached sessions of which one changed, beside reading all again. */
const { daemon, directory, clientOf } = await seedDaemon(SESSIONS, MESSAGES, OUTPUT);
const folder = mkdtempSync(join(tmpdir(), "opencode-prune-bench-"));
const proxy = await startProxy(() => daemon.port);
const client = clientOf(proxy.url);
const opened: History[] = [];
const caches: MessageCache[] = [];

try {
  const plugin = counted(createRpcSource(client));
  const history = open(plugin);
  const cold = await timed(() => until(history, allConfirmed));
  note(
    `first read of everything, through the plugin: ${cold.wall.toFixed(0)} ms, ${plugin.outlines.length} sessions`,
  );

  const times: Cost[] = [];
  for (let round = 0; round < 5; round += 1) {
    plugin.outlines.length = 0;
    proxy.refuse(true);
    proxy.cut();
    await until(history, ({ connection }) => connection.phase !== "live");
    const changed = `ses_${round * 7}`;
    await prune(changed, `msg_${round * 7}_3`);
    proxy.refuse(false);
    history.refresh();
    times.push(await timed(() => until(history, allConfirmed)));
    report(
      `sessions read again after one of ${SESSIONS} changed`,
      plugin.outlines.join(", "),
      `${changed} alone`,
      plugin.outlines.length === 1 && plugin.outlines[0] === changed,
    );
  }
  const reconciled = {
    wall: median(times.map(({ wall }) => wall)),
    cpu: median(times.map(({ cpu }) => cpu)),
  };
  history.stop();

  const all = counted(createRpcSource(client));
  const fresh = open(all, false);
  const rereadPlugin = await timed(() => until(fresh, allConfirmed));
  fresh.stop();
  const native = counted(createNativeSource(client));
  const plain = open(native, false);
  const rereadNative = await timed(() => until(plain, allConfirmed));
  plain.stop();

  const figure = (full: Cost, of: keyof Cost) =>
    `${reconciled[of].toFixed(0)} ms (median of 5), beside ${full[of].toFixed(0)} ms: ${(full[of] / reconciled[of]).toFixed(0)} x`;
  report(
    "reconcile beside a full re-read through message.list",
    figure(rereadNative, "wall"),
    "50 x",
    rereadNative.wall / reconciled.wall >= 50,
  );
  note(
    `the same in processor time of app and daemon, which a busy machine changes less: ${figure(rereadNative, "cpu")}`,
  );
  note(`beside a full re-read through the plugin's outlines: ${figure(rereadPlugin, "wall")}`);
} finally {
  for (const one of opened) one.stop();
  for (const cache of caches) cache.close();
  await proxy.close();
  await daemon.remove();
  rmSync(folder, { recursive: true });
}

function counted(source: HistorySource): HistorySource & { readonly outlines: string[] } {
  const outlines: string[] = [];
  return {
    server: source.server,
    get fingerprintKind() {
      return source.fingerprintKind;
    },
    sessions: (signal) => source.sessions(signal),
    session: (sessionID, signal) => source.session(sessionID, signal),
    outline: (sessionID, signal) => {
      outlines.push(sessionID);
      return source.outline(sessionID, signal);
    },
    message: (reference, signal) => source.message(reference, signal),
    fingerprints: (sessions, signal) => source.fingerprints(sessions, signal),
    usage: (signal) => source.usage(signal),
    outlines,
  };
}

function open(source: HistorySource, isCached = true): History {
  const cache = isCached ? new MessageCache({ folder, server: daemon.url }) : undefined;
  if (cache) caches.push(cache);
  const history = createHistory({ source, events: createEventSource(client), ...(cache ? { cache } : {}) });
  opened.push(history);
  history.start();
  return history;
}

function allConfirmed({ connection, sessions }: HistorySnapshot): boolean {
  if (connection.phase !== "live" || sessions.size !== SESSIONS) return false;
  return [...sessions.values()].every((one) => one.confirmed && !one.refreshing && one.technical);
}

function until(history: History, wanted: (snapshot: HistorySnapshot) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!wanted(history.snapshot())) return;
      stop();
      resolve();
    };
    const stop = history.onChange(look);
    look();
  });
}

interface Cost {
  /** Milliseconds until it was done. */
  readonly wall: number;
  /** Milliseconds that the app and the daemon took of the processors meanwhile. */
  readonly cpu: number;
}

async function timed(run: () => Promise<void>): Promise<Cost> {
  const cpu = () => processorTime(process.pid) + processorTime(daemon.pid);
  const [start, before] = [performance.now(), cpu()];
  await run();
  return { wall: performance.now() - start, cpu: cpu() - before };
}

async function prune(sessionID: string, messageID: string): Promise<void> {
  const direct = clientOf(daemon.url);
  const message = await direct.session.message({ sessionID, messageID });
  const content = message.content as readonly unknown[];
  const input = { sessionID, messageID, revision: revisionOf(content), indexes: [1] };
  const location = { directory };
  const { output } = await direct.rpc.call({ rpcID: PRUNING_RPC, method: "prune", input, location });
  if ((output as { status: string }).status !== "pruned") throw new Error(JSON.stringify(output));
}
