import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageCache } from "../../src/cache/index.ts";
import type { MessageOutline } from "../../src/contract/index.ts";
import { createHistory, type History } from "../../src/sync/index.ts";
import { expectCacheConverged, expectConverged } from "./support/converged.ts";
import { assistant, FakeDaemon, type FakeMessage, user } from "./support/fake-daemon.ts";
import { TestClock } from "./support/test-clock.ts";

const SESSIONS = ["ses_a", "ses_b", "ses_c", "ses_d"] as const;
const MESSAGES = [0, 1, 2, 3] as const;

class World {
  readonly clock = new TestClock();
  readonly daemon: FakeDaemon;
  readonly #folder = mkdtempSync(join(tmpdir(), "opencode-prune-model-"));
  cache: MessageCache;
  history: History;
  unfollow: () => void = () => {};
  #shown = new Map<string, MessageOutline>();

  constructor(kind: "exact" | "weak") {
    this.daemon = new FakeDaemon(this.clock, kind);
    for (const sessionID of SESSIONS.slice(0, 3)) {
      this.daemon.create(sessionID, [
        user(`${sessionID}_user`),
        ...[0, 1, 2].map((n) => message(sessionID, n)),
      ]);
    }
    this.cache = new MessageCache({ folder: this.#folder, server: "http://fake" });
    this.history = this.open();
    this.daemon.beforeEvent = () => this.expectNothingOutdated();
  }

  close(): void {
    this.history.stop();
    this.cache.close();
    rmSync(this.#folder, { recursive: true });
  }

  restart(): void {
    this.history.stop();
    this.cache.close();
    this.cache = new MessageCache({ folder: this.#folder, server: "http://fake" });
    this.unfollow = () => {};
    this.history = this.open();
  }

  open(): History {
    const { daemon, clock, cache } = this;
    const history = createHistory({
      source: daemon,
      events: daemon,
      clock,
      cache,
      chance: () => 0.5,
      outlineBudget: 20,
      contents: { count: 3, bytes: 10_000 },
    });
    history.onChange(() => this.expectNothingOutdated());
    history.start();
    return history;
  }

  /** Lets everything come to rest on a daemon that works. */
  async settle(): Promise<void> {
    this.daemon.down = false;
    this.daemon.failing = 0;
    this.daemon.latency = 4;
    this.daemon.delivery = () => [0];
    if (this.daemon.muted) await this.clock.advance(120_000);
    await this.clock.advance(180_000);
    expectConverged(this.history, this.daemon);
    expectCacheConverged(this.cache, this.daemon);
    for (const [sessionID, { messages }] of this.daemon.sessionsByID) {
      for (const { id: messageID, type } of messages) {
        if (type !== "assistant") continue;
        const read = this.history.message({ sessionID, messageID });
        await this.clock.advance(10);
        expect((await read).parts).toEqual(this.daemon.contentOf({ sessionID, messageID }));
      }
    }
  }

  /**
   * Nothing is confirmed that an event has told is outdated, and no read that came late put back what is older
   * than such an event. Called before each event, so that only reads happened since the last time.
   */
  expectNothingOutdated(): void {
    const before = this.#shown;
    this.#shown = new Map();
    for (const outline of this.history.snapshot().outlines.values()) {
      for (const message of outline.messages) {
        this.#shown.set(message.messageID, message);
        // What an earlier run knew has no labels; it is shown, and said to be unconfirmed.
        const isNew =
          before.get(message.messageID) !== message && message.parts.some((part) => part.label !== "");
        if ((isNew || outline.confirmed) && this.daemon.isOutdated(message)) {
          throw new Error(`${message.messageID} is shown as it was before an event that arrived.`);
        }
      }
    }
  }
}

function message(sessionID: string, n: number, bytes = 20): FakeMessage {
  return assistant(`${sessionID}_${n}`, bytes);
}

type Step = fc.AsyncCommand<object, World>;

function step(name: string, run: (world: World) => Promise<void> | void): Step {
  return {
    check: () => true,
    run: async (_model, world) => {
      await run(world);
      world.expectNothingOutdated();
    },
    toString: () => name,
  };
}

const session = fc.constantFrom(...SESSIONS);
const number = fc.constantFrom(...MESSAGES);
/** How the events of a change are delivered: late, twice, so that they also overtake one another. */
const delays = fc.array(fc.nat(600), { minLength: 1, maxLength: 2 });

const writes: fc.Arbitrary<Step>[] = [
  fc
    .record({ session, number, delays, ours: fc.boolean() })
    .map(({ session: sessionID, number: n, delays, ours }) =>
      step(`${ours ? "we" : "others"} prune ${sessionID}_${n} (${delays})`, ({ daemon, history }) => {
        daemon.delivery = () => delays;
        const reference = { sessionID, messageID: `${sessionID}_${n}` };
        if (daemon.prune(reference) && ours) history.pruned(reference);
      }),
    ),
  fc
    .record({ session, number, delays, bytes: fc.nat(50) })
    .map(({ session: sessionID, number: n, delays, bytes }) =>
      step(`write ${sessionID}_${n} ${bytes} (${delays})`, ({ daemon }) => {
        daemon.delivery = () => delays;
        daemon.write(sessionID, message(sessionID, n, bytes));
      }),
    ),
  fc
    .record({ session, number, gap: fc.constantFrom(40, 300, 700), times: fc.integer({ min: 2, max: 4 }) })
    .map(({ session: sessionID, number: n, gap, times }) =>
      step(`write ${sessionID}_${n} ${times} times, every ${gap} ms`, async ({ daemon, clock }) => {
        daemon.delivery = () => [1];
        for (let time = 0; time < times; time += 1) {
          daemon.write(sessionID, message(sessionID, n, 60 + time));
          await clock.advance(gap);
        }
      }),
    ),
];

const steps: fc.Arbitrary<Step>[] = [
  ...writes,
  ...writes,
  ...writes,
  fc.record({ session, delays }).map(({ session: sessionID, delays }) =>
    step(`run ${sessionID} to its end (${delays})`, ({ daemon, clock }) => {
      daemon.delivery = () => delays;
      daemon.setActivity(sessionID, "running", "session.execution.started");
      const idle = { ...user(`${sessionID}_idle_${clock.now()}`), type: "idle" as const };
      daemon.setActivity(sessionID, "idle", "session.usage.updated");
      daemon.write(sessionID, idle, "session.execution.succeeded");
    }),
  ),
  fc.record({ session, delays }).map(({ session: sessionID, delays }) =>
    step(`delete ${sessionID} (${delays})`, ({ daemon }) => {
      daemon.delivery = () => delays;
      daemon.delete(sessionID);
    }),
  ),
  fc.record({ session, delays }).map(({ session: sessionID, delays }) =>
    step(`create ${sessionID} (${delays})`, ({ daemon }) => {
      daemon.delivery = () => delays;
      if (!daemon.sessionsByID.has(sessionID))
        daemon.create(sessionID, [message(sessionID, 0), message(sessionID, 1)]);
    }),
  ),
  fc
    .record({ session, delays, title: fc.string({ maxLength: 3 }) })
    .map(({ session: sessionID, delays, title }) =>
      step(`rename ${sessionID} (${delays})`, ({ daemon }) => {
        daemon.delivery = () => delays;
        daemon.rename(sessionID, title);
      }),
    ),
  fc.record({ session, delays }).map(({ session: sessionID, delays }) =>
    step(`move ${sessionID} (${delays})`, ({ daemon }) => {
      daemon.delivery = () => delays;
      daemon.move(sessionID, "/elsewhere");
    }),
  ),
  fc
    .boolean()
    .map((clean) =>
      step(clean ? "the server hangs up" : "the connection breaks", ({ daemon }) =>
        daemon.cut(clean ? undefined : new Error("the connection was cut")),
      ),
    ),
  fc.constant(
    step("the stream falls silent", ({ daemon }) => {
      daemon.muted = true;
    }),
  ),
  fc.boolean().map((down) =>
    step(down ? "the daemon stops" : "the daemon starts", ({ daemon }) => {
      daemon.down = down;
      if (down) daemon.cut(new Error("the connection was cut"));
    }),
  ),
  fc.integer({ min: 1, max: 6 }).map((count) =>
    step(`${count} reads fail`, ({ daemon }) => {
      daemon.failing = count;
    }),
  ),
  fc.constantFrom(2, 40, 900, 5_000).map((latency) =>
    step(`reads take ${latency} ms`, ({ daemon }) => {
      daemon.latency = latency;
    }),
  ),
  session.map((sessionID) =>
    step(`follow ${sessionID}`, (world) => {
      world.unfollow();
      world.unfollow = world.history.follow(sessionID);
    }),
  ),
  fc.subarray([...SESSIONS]).map((shown) => step(`show ${shown}`, ({ history }) => history.show(shown))),
  fc.constant(step("refresh", ({ history }) => history.refresh())),
  fc.record({ session, number }).map(({ session: sessionID, number: n }) =>
    step(`look into ${sessionID}_${n}`, async ({ history, clock }) => {
      const reference = { sessionID, messageID: `${sessionID}_${n}` };
      const read = history.message(reference).then(
        (content) => content.parts,
        () => undefined,
      );
      await clock.advance(30);
      void read;
    }),
  ),
  fc.constant(step("the app is closed and opened again", (world) => world.restart())),
  ...Array.from({ length: 3 }, () =>
    fc
      .constantFrom(1, 30, 200, 1_000, 20_000)
      .map((time) => step(`${time} ms pass`, ({ clock }) => clock.advance(time))),
  ),
  fc.constant(step("everything settles", (world) => world.settle())),
];

describe.each(["exact", "weak"] as const)(
  "with %s fingerprints, whatever happens in whatever order",
  (kind) => {
    it("ends up equal to a fresh full read, and never confirms what it was told is outdated", async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: "max" }), async (commands) => {
          const world = new World(kind);
          try {
            await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
            await world.settle();
          } finally {
            world.close();
          }
        }),
        { numRuns: Number(process.env.MODEL_RUNS ?? 100) },
      );
    }, 600_000);
  },
);
