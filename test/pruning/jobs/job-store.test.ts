import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { ClaimLostError, JOBS_NAME, JobStore, LEASE } from "../../../src/pruning/index.ts";
import { job, SERVER, storeWithClock, temporaryFolder } from "./support/jobs.ts";

/** Changes rows behind the store's back, whatever the checks of the schema say. */
function tamper(folder: string, sql: string): void {
  const database = new Database(join(folder, JOBS_NAME));
  database.pragma("ignore_check_constraints = ON");
  database.exec(sql);
  database.close();
}

describe("a job", () => {
  it("holds its exact requests, in order", () => {
    const { store } = storeWithClock();
    const indexed = { messageID: "msg_9", revision: "b".repeat(64), indexes: [4, 0] };
    const claim = store.create(
      {
        server: SERVER,
        sessions: [
          ...job(2).sessions,
          {
            sessionID: "ses_2",
            directory: "/elsewhere",
            requests: [{ request: indexed, parts: 2, bytes: 7 }],
          },
        ],
      },
      "me",
    );
    const { requests } = store.open(claim.jobID, -1, 10);
    expect(requests.map(({ request }) => request)).toEqual([
      ...(job(2).sessions[0]?.requests ?? []).map(({ request }) => request),
      indexed,
    ]);
    expect(requests[2]).toEqual({
      position: 2,
      sessionID: "ses_2",
      directory: "/elsewhere",
      request: indexed,
      parts: 2,
      bytes: 7,
      wasSent: false,
    });
    expect(store.open(claim.jobID, 0, 1).requests).toMatchObject([{ position: 1 }]);
  });

  it("is written whole or not at all", () => {
    const { store, folder } = storeWithClock();
    const [session] = job(3).sessions;
    if (!session) throw new Error("there is a session");
    expect(() => store.create({ server: SERVER, sessions: [session, session] }, "me")).toThrow("UNIQUE");
    const database = new Database(join(folder, JOBS_NAME));
    const rows = ["job", "job_session", "request"].map((table) =>
      database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    database.close();
    expect(rows).toEqual([0, 0, 0]);
  });

  it("ends in the state that its requests are in", () => {
    const { store } = storeWithClock();
    const ended = (...steps: ("sent" | "pruned" | "refused")[]) => {
      let claim = store.create(job(2), "me");
      steps.forEach((state, position) => {
        claim = store.sending(claim, [position]);
        if (state === "pruned") claim = store.settle(claim, [{ position, state }]);
        if (state === "refused") claim = store.settle(claim, [{ position, state, reason: "conflict" }]);
      });
      return store.end(claim);
    };
    expect(ended("pruned", "refused")).toBe("finished");
    expect(ended("pruned")).toBe("more_to_do");
    expect(ended("pruned", "sent")).toBe("unknown");
  });

  it("does not take back an outcome", () => {
    const { store } = storeWithClock();
    let claim = store.create(job(2), "me");
    claim = store.settle(store.sending(claim, [0, 1]), [{ position: 0, state: "pruned" }]);
    expect(() =>
      store.settle(claim, [
        { position: 1, state: "pruned" },
        { position: 0, state: "to_do" },
      ]),
    ).toThrow();
    expect(() => store.sending(claim, [0])).toThrow();
    expect(store.open(claim.jobID, -1, 10).requests).toMatchObject([{ position: 1, wasSent: true }]);
  });

  it("is of one server", () => {
    const { store } = storeWithClock();
    store.end(store.create(job(2), "me"));
    expect(store.interrupted("http://other")).toEqual([]);
    expect(store.interrupted(SERVER)).toHaveLength(1);
  });

  it("is forgotten a week after it was finished", () => {
    const { store, clock, folder } = storeWithClock();
    const finish = () => {
      const claim = store.sending(store.create(job(1), "me"), [0]);
      store.end(store.settle(claim, [{ position: 0, state: "pruned" }]));
    };
    finish();
    clock.now += 8 * 24 * 3_600_000;
    finish();
    const database = new Database(join(folder, JOBS_NAME));
    expect(database.prepare("SELECT count(*) FROM job").pluck().get()).toBe(1);
    expect(database.prepare("SELECT count(*) FROM request").pluck().get()).toBe(1);
    database.close();
  });
});

describe("a claim", () => {
  it("is good for a lease from its last use", () => {
    const { store, clock } = storeWithClock();
    let claim = store.create(job(3), "me");
    clock.now += LEASE - 1;
    claim = store.renew(claim);
    clock.now += LEASE - 1;
    claim = store.sending(claim, [0]);
    clock.now += LEASE - 1;
    claim = store.settle(claim, [{ position: 0, state: "pruned" }]);
    expect(claim.expires).toBe(clock.now + LEASE);
    clock.now += LEASE;
    expect(() => store.renew(claim)).toThrow(ClaimLostError);
    expect(() => store.sending(claim, [1])).toThrow(ClaimLostError);
    expect(() => store.end(claim)).toThrow(ClaimLostError);
  });

  it("that is an older one of the same owner writes nothing", () => {
    const { store, clock } = storeWithClock();
    const old = store.create(job(3), "me");
    clock.now += 1;
    store.renew(old);
    expect(() => store.sending(old, [0])).toThrow(ClaimLostError);
    expect(store.open(old.jobID, -1, 1).requests).toMatchObject([{ wasSent: false }]);
  });

  it("that ran out is only recovered, and by one", () => {
    const { store, clock } = storeWithClock();
    const dead = store.create(job(3), "me");
    expect(store.recover(dead, "you")).toBeUndefined();
    clock.now += LEASE;
    expect(store.acquire(dead.jobID, "you")).toBeUndefined();
    const yours = store.recover(dead, "you");
    expect(yours).toMatchObject({ owner: "you", expires: clock.now + LEASE });
    expect(store.recover(dead, "another")).toBeUndefined();
    clock.now += LEASE;
    // What is recovered has to be what was seen, not merely the same job.
    expect(store.recover(dead, "another")).toBeUndefined();
  });
});

describe("the scan for interrupted jobs", () => {
  it("is ordered by age and bounded", () => {
    const { store, clock } = storeWithClock();
    const made: string[] = [];
    for (let at = 0; at < 25; at += 1) {
      const claim = store.create(job(1, `ses_${at}`), "me");
      made.push(claim.jobID);
      store.end(claim);
      clock.now += 1;
    }
    expect(store.interrupted(SERVER).map(({ jobID }) => jobID)).toEqual(made.slice(0, 20));
  });

  it("quarantines a job that it cannot understand, and goes on behind it", () => {
    const { store, clock, folder } = storeWithClock();
    const broken = store.create(job(1, "ses_1"), "me");
    clock.now += 1;
    const good = store.create(job(1, "ses_2"), "me");
    store.end(good);
    clock.now += LEASE;
    tamper(folder, `UPDATE job SET state = 'perhaps' WHERE id = '${broken.jobID}'`);
    expect(store.interrupted(SERVER)).toMatchObject([{ jobID: good.jobID, state: "more_to_do" }]);
    tamper(folder, `UPDATE job SET state = 'unknown' WHERE id = '${broken.jobID}'`);
    // It stays where it is, with its reason, until somebody looks at it.
    expect(store.interrupted(SERVER)).toHaveLength(1);
    const database = new Database(join(folder, JOBS_NAME));
    const reason = database.prepare("SELECT quarantined FROM job WHERE id = ?").pluck().get(broken.jobID);
    database.close();
    expect(reason).toBe("its state and its claim are not those of a job");
  });

  it.each([
    ["no revision", "revision = 'abc'"],
    ["indexes that are none", "tools = NULL, reasoning = NULL, indexes = '[0,'"],
    ["both forms", "indexes = '[0]'"],
    ["negative amounts", "parts = -1"],
  ])("tells a request with %s from those that can be understood", (_, set) => {
    const { store, folder } = storeWithClock();
    const claim = store.create(job(3), "me");
    tamper(folder, `UPDATE request SET ${set} WHERE position = 1`);
    const { requests, unreadable } = store.open(claim.jobID, -1, 10);
    expect(requests.map(({ position }) => position)).toEqual([0, 2]);
    expect(unreadable).toMatchObject([{ position: 1, messageID: "msg_1" }]);
    const [one] = unreadable;
    store.settle(claim, [{ position: 1, state: "quarantined", reason: one?.problem ?? "" }]);
    expect(store.open(claim.jobID, -1, 10)).toMatchObject({ requests: [{}, {}], unreadable: [] });
  });

  it("ends a job that was cut off after its last outcome", () => {
    const { store, clock } = storeWithClock();
    const claim = store.sending(store.create(job(1), "me"), [0]);
    store.settle(claim, [{ position: 0, state: "pruned" }]);
    clock.now += LEASE;
    expect(store.interrupted(SERVER)).toEqual([]);
    clock.now += LEASE;
    expect(store.recover(claim, "you")).toBeUndefined();
  });
});

describe("the file of jobs", () => {
  it("is for its owner alone", () => {
    const { store, folder } = storeWithClock(join(temporaryFolder(), "deeper", "opencode-prune"));
    store.create(job(3), "me");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toContain(JOBS_NAME);
  });

  it("is not made by looking for jobs", () => {
    const { store, folder } = storeWithClock();
    expect(store.interrupted(SERVER)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that is damaged is set aside with one sentence, and a new one begun", () => {
    const { store, folder } = storeWithClock();
    store.create(job(3), "me");
    store.close();
    const path = join(folder, JOBS_NAME);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 0, 100);
    writeFileSync(path, bytes);
    const next = new JobStore({ folder });
    expect(next.path).toBe(path);
    expect(next.problems).toEqual([
      expect.stringMatching(/^The cleanup jobs .*set aside as .*plan it anew\.$/),
    ]);
    expect(next.interrupted(SERVER)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes("set-aside"))).not.toEqual([]);
    next.close();
  });

  it("that turns out to be damaged while it is used is set aside, and the next use begins a new one", () => {
    const { store, folder } = storeWithClock();
    store.end(store.create(job(2_000), "me"));
    store.close();
    const path = join(folder, JOBS_NAME);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 3 * 4096);
    writeFileSync(path, bytes);
    expect(() => store.create(job(2_000), "me")).toThrow(/malformed|corrupt/);
    expect(store.problems).toEqual([expect.stringMatching(/set aside as .*plan it anew\.$/)]);
    store.end(store.create(job(2), "me"));
    expect(store.path).toBe(path);
    expect(store.interrupted(SERVER)).toMatchObject([{ left: { messages: 2 } }]);
    expect(readdirSync(folder).filter((name) => /set-aside-[^/]*\d$/.test(name))).toHaveLength(1);
  });

  it.each([
    ["foreign", "CREATE TABLE guests (name TEXT)", /set aside/],
    [
      "newer",
      "PRAGMA application_id = 0x6f63706a; PRAGMA user_version = 99",
      /newer opencode-prune.*cannot be resumed/,
    ],
  ])("that is %s is never written to", (_, sql, sentence) => {
    const folder = temporaryFolder();
    const database = new Database(join(folder, JOBS_NAME));
    database.exec(sql);
    database.close();
    const store = new JobStore({ folder });
    store.end(store.create(job(2), "me"));
    expect(store.problems).toEqual([expect.stringMatching(sentence)]);
    expect(store.interrupted(SERVER)).toHaveLength(1);
    store.close();
    const kept = readdirSync(folder).filter((name) => /^jobs\.db(\.set-aside-[^.]*)?$/.test(name));
    const files = kept.map((name) => new Database(join(folder, name), { readonly: true }));
    const survives = files.some(
      (file) => file.pragma("user_version", { simple: true }) === 99 || tablesOf(file).includes("guests"),
    );
    for (const file of files) file.close();
    expect(survives).toBe(true);
  });

  it("works in memory where no file can be had, and says that nothing is kept", () => {
    const folder = join(temporaryFolder(), "a file");
    writeFileSync(folder, Buffer.from("not a folder"));
    const store = new JobStore({ folder });
    expect(store.path).toBeUndefined();
    expect(store.problems).toEqual([expect.stringMatching(/cannot be used .* cannot be resumed/)]);
    store.end(store.create(job(2), "me"));
    expect(store.interrupted(SERVER)).toHaveLength(1);
    store.close();
  });
});

function tablesOf(file: Database.Database): unknown[] {
  return file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}
