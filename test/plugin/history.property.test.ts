import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { overBetterSqlite } from "./support/better-sqlite.ts";
import { FakeDaemon, SESSION } from "./support/fake-daemon.ts";
import { messageSurroundings, partText, stringText } from "./support/json-text.ts";
import { revisionOfStored } from "./support/stored.ts";

/** What the test believes is stored: each message as the JSON texts of its parts. */
interface ModelMessage {
  readonly before: readonly string[];
  readonly after: readonly string[];
  parts: string[];
  completed: boolean;
}

interface Model {
  readonly messages: ModelMessage[];
  state: "resting" | "suspended" | "compacting" | "reverted" | "owned" | "retained";
  readonly answered: Map<string, { request: PruneRequest; answer: unknown }>;
}

interface PruneRequest {
  readonly sessionID: string;
  readonly messageID: string;
  readonly revision: string;
  readonly indexes: readonly number[];
}

type Step =
  | {
      readonly do: "prune";
      readonly at: number;
      readonly picks: readonly number[];
      readonly technicalOnly: boolean;
      readonly stale: boolean;
    }
  | { readonly do: "repeat"; readonly at: number }
  | { readonly do: "rewrite"; readonly at: number; readonly parts: readonly string[] }
  | { readonly do: "append"; readonly message: ModelMessage }
  | { readonly do: "complete"; readonly at: number; readonly completed: boolean }
  | { readonly do: "state"; readonly state: Model["state"] }
  | { readonly do: "lock" };

const message = fc.tuple(fc.array(partText, { maxLength: 5 }), messageSurroundings, fc.boolean()).map(
  ([parts, [before, after], incomplete]): ModelMessage => ({
    before,
    after,
    parts,
    completed: !(incomplete && parts.length === 3),
  }),
);
const at = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("prune" as const),
      at,
      picks: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
      technicalOnly: fc.constant(true),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("prune" as const),
      at,
      picks: fc.array(fc.nat(7), { minLength: 1, maxLength: 3 }),
      technicalOnly: fc.constant(false),
      stale: fc.constant(false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat" as const), at: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rewrite" as const),
      at,
      parts: fc.array(partText, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("append" as const), message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("complete" as const), at, completed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("state" as const),
      state: fc.constantFrom(
        "resting" as const,
        "resting",
        "resting",
        "suspended",
        "compacting",
        "reverted",
        "owned",
        "retained",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lock" as const) }) },
);

const RUNS = Number(process.env.PRUNE_PROPERTY_RUNS ?? 2000);

describe("any history and any sequence of prunes and native writes", () => {
  let daemon: FakeDaemon;
  beforeAll(async () => {
    daemon = new FakeDaemon();
    await daemon.load({
      open: (path) => {
        const database = new Database(path);
        database.pragma("synchronous = OFF");
        return overBetterSqlite(database);
      },
    });
  });
  afterAll(() => daemon.remove());

  it(`keeps every byte of what was not asked for, and refuses without a trace (${RUNS} runs)`, async () => {
    const seen = { pruned: 0, refused: 0, repeated: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 3 }),
        stringText,
        fc.array(step, { minLength: 1, maxLength: 10 }),
        async (messages, userText, steps) => {
          const model: Model = {
            messages: messages.map((one) => ({ ...one, parts: [...one.parts] })),
            state: "resting",
            answered: new Map(),
          };
          reset(daemon, model, userText);
          for (const one of steps) await take(daemon, model, one, seen);
          expect(daemon.database.pragma("integrity_check", { simple: true })).toBe("ok");
          expect(daemon.nonces()).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
    expect(seen.pruned).toBeGreaterThan(RUNS / 10);
    expect(seen.refused).toBeGreaterThan(RUNS / 10);
    expect(seen.repeated).toBeGreaterThan(RUNS / 100);
  }, 600_000);
});

function reset(daemon: FakeDaemon, model: Model, userText: string): void {
  daemon.database.exec(
    "DELETE FROM event; DELETE FROM session_message; DELETE FROM event_sequence; DELETE FROM session_v2",
  );
  if (daemon.receipts().length > 0) daemon.database.exec("DELETE FROM opencode_prune_receipt");
  daemon.insertSession();
  daemon.insertMessage(`{"text":${userText},"time":{"created":1.0}}`, "msg_user", SESSION, "user");
  model.messages.forEach((one, index) => {
    daemon.insertMessage(textOf(one), idOf(index));
  });
}

async function take(
  daemon: FakeDaemon,
  model: Model,
  one: Step,
  seen: { pruned: number; refused: number; repeated: number },
): Promise<void> {
  switch (one.do) {
    case "append":
      model.messages.push({ ...one.message, parts: [...one.message.parts] });
      daemon.insertMessage(textOf(one.message), idOf(model.messages.length - 1));
      break;
    case "rewrite":
    case "complete": {
      const target = model.messages[one.at];
      if (!target) return;
      if (one.do === "rewrite") target.parts = [...one.parts];
      else target.completed = one.completed;
      daemon.database
        .prepare("UPDATE session_message SET data = ? WHERE id = ?")
        .run(textOf(target), idOf(one.at));
      break;
    }
    case "state":
      model.state = one.state;
      applyState(daemon, one.state);
      break;
    case "lock": {
      daemon.database.exec("BEGIN IMMEDIATE");
      const request = requestOf(model, 0, [0]);
      if (request)
        expect(await daemon.call("prune", request)).toEqual({
          status: "blocked",
          reason: "maintenance_required",
        });
      daemon.database.exec("ROLLBACK");
      break;
    }
    case "repeat": {
      const earlier = [...model.answered.values()][one.at];
      if (!earlier) return;
      await repeat(daemon, model, earlier, seen);
      break;
    }
    case "prune": {
      const request = requestFor(model, one);
      if (request) await prune(daemon, model, request, seen);
    }
  }
  for (const [index, expected] of model.messages.entries())
    expect(daemon.data(idOf(index))).toBe(textOf(expected));
}

async function prune(
  daemon: FakeDaemon,
  model: Model,
  request: PruneRequest,
  seen: { pruned: number; refused: number },
): Promise<void> {
  const key = keyOf(request);
  if (model.answered.has(key)) return;
  const target = model.messages[Number(request.messageID.slice(4))];
  const before = daemon.everything();
  const events = daemon.emitted.length;
  const answer = await daemon.call("prune", request);
  if (!target || !mayPrune(model, target, request)) {
    expect(answer.status).toBe("blocked");
    expect(daemon.everything()).toBe(before);
    expect(daemon.emitted.length).toBe(events);
    seen.refused += 1;
    return;
  }
  target.parts = target.parts.filter((_, index) => !request.indexes.includes(index));
  expect(answer).toEqual({
    status: "pruned",
    messageID: request.messageID,
    revision: revisionOfStored(textOf(target)),
    removedCount: request.indexes.length,
  });
  expect(daemon.emitted.length).toBe(events + 1);
  model.answered.set(key, { request, answer });
  seen.pruned += 1;
}

/** The same request again answers the same, and deletes nothing that was not back to what it was. */
async function repeat(
  daemon: FakeDaemon,
  model: Model,
  earlier: { request: PruneRequest; answer: unknown },
  seen: { repeated: number },
): Promise<void> {
  const { request } = earlier;
  const target = model.messages[Number(request.messageID.slice(4))];
  if (!target) return;
  const isBack = target.completed && revisionOfStored(textOf(target)) === request.revision;
  if (isBack && model.state !== "resting") return;
  const answer = await daemon.call("prune", { ...request, indexes: [...request.indexes].reverse() });
  expect(answer).toEqual(earlier.answer);
  if (isBack) target.parts = target.parts.filter((_, index) => !request.indexes.includes(index));
  seen.repeated += 1;
}

function mayPrune(model: Model, target: ModelMessage, request: PruneRequest): boolean {
  return (
    model.state === "resting" &&
    target.completed &&
    revisionOfStored(textOf(target)) === request.revision &&
    request.indexes.every((index) => isTechnical(target.parts[index]))
  );
}

function requestFor(model: Model, one: Step & { do: "prune" }): PruneRequest | undefined {
  const target = model.messages[one.at];
  if (!target) return undefined;
  const technical = target.parts.flatMap((part, index) => (isTechnical(part) ? [index] : []));
  const indexes = one.technicalOnly
    ? one.picks.flatMap((pick) => technical[pick % Math.max(1, technical.length)] ?? [])
    : one.picks;
  const request = requestOf(model, one.at, [...new Set(indexes)]);
  if (!request || request.indexes.length === 0) return undefined;
  return one.stale && one.picks[0] === 1 ? { ...request, revision: "f".repeat(64) } : request;
}

function requestOf(model: Model, index: number, indexes: readonly number[]): PruneRequest | undefined {
  const target = model.messages[index];
  if (!target) return undefined;
  return { sessionID: SESSION, messageID: idOf(index), revision: revisionOfStored(textOf(target)), indexes };
}

function applyState(daemon: FakeDaemon, state: Model["state"]): void {
  daemon.database.exec(`
    UPDATE session_v2 SET
      time_suspended = ${state === "suspended" ? 1 : "NULL"},
      time_compacting = ${state === "compacting" ? 1 : "NULL"},
      revert = ${state === "reverted" ? "'{}'" : "NULL"};
    UPDATE event_sequence SET owner_id = ${state === "owned" ? "'another'" : "NULL"};
    DELETE FROM event;
    ${state === "retained" ? `INSERT INTO event VALUES ('evt', '${SESSION}', 1, 0, 't', '{}')` : ""}`);
}

function textOf(one: ModelMessage): string {
  const time = one.completed ? '"time":{"created":1,"completed":2.0}' : '"time":{"created":1}';
  return `{${[...one.before, time, `"content":[${one.parts.join(",")}]`, ...one.after].join(",")}}`;
}

function isTechnical(part: string | undefined): boolean {
  return part !== undefined && ["tool", "reasoning"].includes((JSON.parse(part) as { type: string }).type);
}

function idOf(index: number): string {
  return `msg_${index}`;
}

function keyOf(request: PruneRequest): string {
  return JSON.stringify([request.messageID, request.revision, [...request.indexes].sort()]);
}
