import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../src/sync/index.ts";
import { FLOOD_RPC, writeFloodPlugin } from "./support/flood-plugin.ts";
import { until } from "./support/until.ts";
import { message, messageIDOf, type WatchedDaemon, watchDaemon } from "./support/watched-daemon.ts";

/** The real time, which a test can push forward, as a machine that slept finds it when it wakes. */
class PushedClock implements Clock {
  #pushed = 0;
  readonly #timers = new Map<() => void, { readonly at: number; readonly timer: NodeJS.Timeout }>();

  now(): number {
    return Date.now() + this.#pushed;
  }

  after(milliseconds: number, call: () => void): () => void {
    const run = () => {
      this.#timers.delete(run);
      call();
    };
    const timer = setTimeout(run, milliseconds);
    this.#timers.set(run, { at: this.now() + milliseconds, timer });
    return () => {
      this.#timers.delete(run);
      clearTimeout(timer);
    };
  }

  push(milliseconds: number): void {
    this.#pushed += milliseconds;
    for (const [run, { at, timer }] of [...this.#timers]) {
      if (at > this.now()) continue;
      clearTimeout(timer);
      run();
    }
  }
}

const clock = new PushedClock();
let watched: WatchedDaemon;
let flood: string;

beforeAll(async () => {
  flood = await writeFloodPlugin();
  watched = await watchDaemon({ clock }, { plugins: [flood] });
  await watched.settled();
});
afterAll(async () => {
  await watched?.remove();
  await rm(flood, { recursive: true });
});
beforeEach(() => {
  watched.outlines.length = 0;
  watched.proxy.forgetRequests();
});

/** Reads of single messages that went through the proxy. */
function messageReads(): readonly string[] {
  return watched.proxy.requests.filter((request) => /^GET .*\/message\/./.test(request));
}

function partsOf(sessionID: string): number {
  return watched.history.snapshot().sessions.get(sessionID)?.technical?.parts ?? 0;
}

function lost() {
  return until(watched.history, ({ connection }) => connection.phase !== "live");
}

describe("after the connection was cut", () => {
  it("reads nothing again when nothing changed", async () => {
    watched.proxy.cut();
    await lost();
    await watched.settled();
    expect(watched.outlines).toEqual([]);
    expect(messageReads()).toEqual([]);
  });

  it("shows a prune whose event was lost with it, and reads that session alone", async () => {
    watched.proxy.mute();
    await watched.prune("ses_1", messageIDOf("ses_1", 1));
    watched.proxy.cut();
    await lost();
    await watched.settled();
    expect(watched.outlines).toEqual(["ses_1"]);
    expect(partsOf("ses_1")).toBe(4);
  });

  it("in the middle of a read, drops what was read of it and reads it again", async () => {
    watched.history.show(["ses_2"]);
    watched.proxy.throttle(3_000);
    watched.history.refresh();
    await until(watched.history, () =>
      watched.proxy.requests.some((request) => request.endsWith("ses_2/message")),
    );
    await watched.prune("ses_2", messageIDOf("ses_2", 1));
    watched.proxy.throttle(0);
    watched.proxy.cut();
    await lost();
    await watched.settled();
    expect(watched.outlines).toEqual(["ses_2", "ses_2"]);
    watched.history.show([]);
  });

  it("forgets what was deleted, follows what was moved, and finds what is new", async () => {
    const elsewhere = join(watched.pruning.daemon.home, "elsewhere");
    await mkdir(elsewhere);
    watched.proxy.refuse(true);
    watched.proxy.cut();
    await lost();
    await watched.pruning.request("DELETE", "/api/session/ses_4");
    await watched.pruning.request("POST", "/api/session/ses_3/move", { directory: elsewhere });
    await watched.pruning.request("POST", "/api/experimental/session/ses_3/wait");
    await watched.pruning.importSession("ses_5", [message("msg_5_1")]);
    watched.proxy.refuse(false);
    await watched.settled();
    const { sessions } = watched.history.snapshot();
    expect(sessions.has("ses_4")).toBe(false);
    expect(sessions.get("ses_3")?.directory).toBe(elsewhere);
    expect([...new Set(watched.outlines)].sort()).toEqual(["ses_3", "ses_5"]);
  });

  it("keeps trying while nobody answers, and says since how many attempts", async () => {
    watched.proxy.refuse(true);
    watched.proxy.cut();
    await until(watched.history, ({ connection }) => connection.attempt >= 3);
    expect(watched.history.snapshot().connection.problem).toMatch(/could not be reached/);
    expect([...watched.history.snapshot().sessions.values()].some((one) => one.confirmed)).toBe(false);
    watched.proxy.refuse(false);
    watched.history.refresh();
    await watched.settled();
    expect(watched.outlines).toEqual([]);
  });
});

describe("after a machine slept for minutes", () => {
  it("takes the silent stream for lost, and shows what was missed", async () => {
    watched.proxy.mute();
    await watched.prune("ses_0", messageIDOf("ses_0", 2));
    clock.push(300_000);
    await lost();
    expect(watched.history.snapshot().connection.problem).toMatch(/silent for \d+ s/);
    await watched.settled();
    expect(watched.outlines).toEqual(["ses_0"]);
  });
});

describe("after the daemon was restarted", () => {
  it("is live again on the same port, and reads what changed", async () => {
    const { daemon } = watched.pruning;
    await daemon.stop("SIGKILL");
    await lost();
    await daemon.start();
    await watched.settled();
    expect(watched.outlines).toEqual([]);
    const before = partsOf("ses_2");
    await watched.prune("ses_2", messageIDOf("ses_2", 3));
    await until(watched.history, () => partsOf("ses_2") === before - 2);
    await watched.settled();
    expect(messageReads().length + watched.outlines.length).toBe(1);
  });
});

describe("as a slow consumer", () => {
  it("is cut off by the server, and shows what it missed", async () => {
    watched.proxy.stall();
    // What the server keeps for a client that does not read is bounded in events and bytes.
    const flooded = await watched.pruning.rpc("flood", { count: 10_000, bytes: 4_000 }, { rpcID: FLOOD_RPC });
    expect(flooded.status).toBe(200);
    // Its last change was read as a single message, so that nothing told its state as a whole: it is read again.
    await watched.prune("ses_2", messageIDOf("ses_2", 2));
    watched.proxy.resume();
    await lost();
    await watched.settled();
    expect(watched.outlines).toEqual(["ses_2"]);
  });
});
