import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claim, ClaimLostError, JobStore, LEASE } from "../../../src/pruning/index.ts";
import { job, SERVER } from "./support/jobs.ts";

const MESSAGES = 3;
const OWNERS = ["anna", "ben", "cleo"] as const;
type Owner = (typeof OWNERS)[number];
type RequestState = "to_do" | "sent" | "pruned" | "refused";

/** What the file has to say, kept in plain variables. */
interface Model {
  state: "finished" | "more_to_do" | "unknown" | "gone";
  claim: Claim | undefined;
  requests: RequestState[];
}

/** Several processes on one job, each with a connection of its own and whatever claim it believes to have. */
class World {
  readonly folder = mkdtempSync(join(tmpdir(), "opencode-prune-claims-"));
  now = 1_000_000;
  readonly stores = new Map(
    OWNERS.map((owner) => [owner, new JobStore({ folder: this.folder, now: () => this.now })]),
  );
  readonly believed = new Map<Owner, Claim>();
  /** The claim that an owner had before that one. */
  readonly former = new Map<Owner, Claim>();
  /** A claim that an owner saw some time ago, to recover from. */
  readonly seen = new Map<Owner, Claim>();

  store(owner: Owner): JobStore {
    const store = this.stores.get(owner);
    if (!store) throw new Error(`${owner} has no store`);
    return store;
  }

  close(): void {
    for (const store of this.stores.values()) store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type Command = fc.Command<Model, World>;

const isLive = (model: Model, world: World, claim: Claim | undefined) =>
  claim !== undefined &&
  model.claim?.owner === claim.owner &&
  model.claim.expires === claim.expires &&
  claim.expires > world.now;

interface Writer {
  readonly owner: Owner;
  /** Whether it writes by the claim that it had before its last one. */
  readonly usesFormer: boolean;
}

/** Runs a write of an owner, which has to succeed exactly when its claim is the live one. */
function writing(
  { owner, usesFormer }: Writer,
  name: string,
  write: (store: JobStore, claim: Claim) => Claim | undefined,
  effect: (model: Model) => void,
  isPossible: (model: Model) => boolean = () => true,
): Command {
  return {
    check: () => true,
    run(model, world) {
      const claim = (usesFormer ? world.former : world.believed).get(owner);
      if (!claim) return;
      if (!isLive(model, world, claim)) {
        expect(() => write(world.store(owner), claim)).toThrow(ClaimLostError);
        return;
      }
      if (!isPossible(model)) {
        expect(() => write(world.store(owner), claim)).toThrow("not in the state");
        return;
      }
      const renewed = write(world.store(owner), claim);
      effect(model);
      if (renewed) {
        expect(renewed.expires).toBe(world.now + LEASE);
        model.claim = renewed;
        believe(world, owner, renewed);
      } else {
        model.claim = undefined;
      }
    },
    toString: () => `${owner} ${name}${usesFormer ? " by a claim of before" : ""}`,
  };
}

const owner = fc.constantFrom(...OWNERS);
const writer = fc.record({ owner, usesFormer: fc.nat(2).map((one) => one === 0) });
const position = fc.nat(MESSAGES - 1);
const outcome = fc.constantFrom<"pruned" | "to_do">("pruned", "to_do");
const hasNoOutcome = (state: RequestState | undefined) => state === "to_do" || state === "sent";

const commands = [
  fc.constantFrom(1, 1, 10, 100, LEASE / 3, LEASE - 1, LEASE, LEASE + 1).map(
    (step): Command => ({
      check: () => true,
      run: (_, world) => {
        world.now += step;
      },
      toString: () => `time goes on by ${step}`,
    }),
  ),
  writer.map((who) =>
    writing(
      who,
      "renews",
      (store, claim) => store.renew(claim),
      () => {},
    ),
  ),
  fc.tuple(writer, position).map(([who, at]) =>
    writing(
      who,
      `sends ${at}`,
      (store, claim) => store.sending(claim, [at]),
      (model) => {
        model.requests[at] = "sent";
      },
      (model) => model.requests[at] === "to_do",
    ),
  ),
  fc.tuple(writer, position, outcome).map(([who, at, state]) =>
    writing(
      who,
      `settles ${at} as ${state}`,
      (store, claim) => store.settle(claim, [{ position: at, state }]),
      (model) => {
        model.requests[at] = state;
      },
      (model) => hasNoOutcome(model.requests[at]),
    ),
  ),
  writer.map((who) =>
    writing(
      who,
      "ends",
      (store, claim) => {
        store.end(claim);
        return undefined;
      },
      (model) => {
        if (model.requests.includes("sent")) model.state = "unknown";
        else model.state = model.requests.includes("to_do") ? "more_to_do" : "finished";
      },
    ),
  ),
  owner.map(
    (who): Command => ({
      check: () => true,
      run(model, world) {
        if (model.claim) world.seen.set(who, model.claim);
      },
      toString: () => `${who} sees the claim`,
    }),
  ),
  owner.map(
    (who): Command => ({
      check: () => true,
      run(model, world) {
        const jobID = jobOf(world);
        const claim = world.store(who).acquire(jobID, who);
        const isFree = model.claim === undefined && model.state !== "finished" && model.state !== "gone";
        expect(claim !== undefined).toBe(isFree);
        if (claim) take(model, world, who, claim);
      },
      toString: () => `${who} acquires`,
    }),
  ),
  owner.map(
    (who): Command => ({
      check: () => true,
      run(model, world) {
        const expired = world.seen.get(who);
        if (!expired) return;
        const claim = world.store(who).recover(expired, who);
        const isStillIt =
          model.claim?.owner === expired.owner &&
          model.claim.expires === expired.expires &&
          expired.expires <= world.now;
        expect(claim !== undefined).toBe(isStillIt);
        if (claim) take(model, world, who, claim);
      },
      toString: () => `${who} recovers what it saw`,
    }),
  ),
  owner.map(
    (who): Command => ({
      check: () => true,
      run(model, world) {
        const [found] = world.store(who).interrupted(SERVER);
        const isCutOff = model.claim !== undefined && model.claim.expires <= world.now;
        const hasMore = model.requests.some(hasNoOutcome);
        const isOpen = model.state === "more_to_do" || model.state === "unknown";
        expect(found !== undefined).toBe(isOpen && hasMore && (isCutOff || model.claim === undefined));
        if (isCutOff && !hasMore && isOpen) {
          model.state = "finished";
          model.claim = undefined;
        }
        if (!found) return;
        expect(found.state).toBe(model.state);
        expect(found.expired).toEqual(model.claim);
        expect(found.left.messages).toBe(model.requests.filter(hasNoOutcome).length);
        if (found.expired) world.seen.set(who, found.expired);
      },
      toString: () => `${who} looks for interrupted jobs`,
    }),
  ),
  owner.map(
    (who): Command => ({
      check: () => true,
      run(model, world) {
        const expired = world.seen.get(who);
        const jobID = jobOf(world);
        const left = { sessions: 1, messages: 1, parts: 1, bytes: 1 };
        const isGone = world.store(who).discard({
          jobID,
          created: 0,
          state: "unknown",
          left,
          ...(expired ? { expired } : {}),
        });
        const isOpen = model.state === "more_to_do" || model.state === "unknown";
        const isAsSeen = expired
          ? model.claim?.owner === expired.owner &&
            model.claim.expires === expired.expires &&
            expired.expires <= world.now
          : model.claim === undefined;
        expect(isGone).toBe(isOpen && isAsSeen);
        if (isGone) Object.assign(model, { state: "gone", claim: undefined, requests: [] });
      },
      toString: () => `${who} discards`,
    }),
  ),
];

const jobs = new WeakMap<World, string>();

function jobOf(world: World): string {
  return jobs.get(world) ?? "";
}

function take(model: Model, world: World, who: Owner, claim: Claim): void {
  expect(claim.expires).toBe(world.now + LEASE);
  model.claim = claim;
  model.state = "unknown";
  believe(world, who, claim);
}

function believe(world: World, who: Owner, claim: Claim): void {
  const former = world.believed.get(who);
  if (former) world.former.set(who, former);
  world.believed.set(who, claim);
}

describe("claims of several owners on one job", () => {
  it("are written by the live one alone, whatever happens in which order", () => {
    fc.assert(
      fc.property(fc.commands(commands, { maxCommands: 60, size: "max" }), (sequence) => {
        const world = new World();
        try {
          const claim = world.store("anna").create(job(MESSAGES), "anna");
          jobs.set(world, claim.jobID);
          world.believed.set("anna", claim);
          const model: Model = { state: "unknown", claim, requests: Array(MESSAGES).fill("to_do") };
          fc.modelRun(() => ({ model, real: world }), sequence);
          // The file agrees with the model to the end.
          const open = world.store("ben").open(claim.jobID, -1, 10).requests;
          expect(open.map(({ position: at, wasSent }) => [at, wasSent])).toEqual(
            model.requests.flatMap((state, at) => (hasNoOutcome(state) ? [[at, state === "sent"]] : [])),
          );
        } finally {
          world.close();
        }
      }),
      { numRuns: Number(process.env.CLAIM_RUNS ?? 60) },
    );
  }, 120_000);
});
