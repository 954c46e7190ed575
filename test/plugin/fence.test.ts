import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_MESSAGE_BYTES } from "../../src/contract/index.ts";
import { BEFORE_PREVIEW } from "../../src/plugin/preview.ts";
import { BEFORE_EDIT, BEFORE_REPLAY } from "../../src/plugin/transaction.ts";
import { BREAKS, type Break, GOOD, paddedTo } from "./support/breaks.ts";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { LEASE_SCHEMA } from "./support/native-schema.ts";
import { REASONING, revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

let daemon: FakeDaemon;
beforeEach(() => {
  daemon = new FakeDaemon();
});
afterEach(() => daemon.remove());

async function arrange(broken: Break): Promise<void> {
  daemon.insertSession();
  daemon.insertMessage(broken.data ?? GOOD);
  broken.arrange?.(daemon);
  await daemon.load(broken.options?.(daemon) ?? {});
}

function requestFor(broken: Break) {
  return {
    sessionID: SESSION,
    messageID: MESSAGE,
    revision: revisionOf(broken.data ?? GOOD),
    indexes: [1],
    ...broken.request,
  };
}

describe("the fence", () => {
  for (const broken of BREAKS) {
    it(`${broken.check}: a prune is refused and changes nothing when ${broken.when}`, async () => {
      await arrange(broken);
      const before = daemon.everything();

      const answer = await daemon.call("prune", requestFor(broken));

      expect(answer).toEqual({ status: "blocked", reason: broken.reason });
      expect(daemon.everything()).toBe(before);
      expect(daemon.emitted).toEqual([]);
    });

    if (!broken.pruneOnly) {
      it(`${broken.check}: a preview ${broken.live ? "says so" : "is refused"} when ${broken.when}`, async () => {
        await arrange(broken);
        const before = daemon.everything();

        const answer = await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE });

        expect(answer).toMatchObject(
          broken.live
            ? { status: "preview", liveMutation: true }
            : { status: "blocked", reason: broken.reason },
        );
        expect(daemon.everything()).toBe(before);
      });
    }
  }

  it("is broken here check by check", () => {
    const broken = new Set(BREAKS.map((one) => one.check));
    const checks = [...BEFORE_REPLAY, ...BEFORE_EDIT].map((check) => check.name);
    expect(checks.filter((name) => !broken.has(name))).toEqual([]);
    expect(new Set([...BEFORE_REPLAY, ...BEFORE_EDIT, ...BEFORE_PREVIEW]).size).toBe(checks.length + 1);
  });

  it("lets an ordinary message pass, of the largest size too", async () => {
    daemon.insertSession();
    daemon.insertMessage(paddedTo(MAX_MESSAGE_BYTES));
    await daemon.load();

    const preview = await daemon.call("preview", { sessionID: SESSION, messageID: MESSAGE });
    expect(preview).toEqual({
      status: "preview",
      revision: revisionOfStored(daemon.data()),
      liveMutation: false,
      parts: [
        { index: 1, type: "tool", bytes: Buffer.byteLength(TOOL) },
        { index: 2, type: "reasoning", bytes: Buffer.byteLength(REASONING) },
      ],
    });
    const pruned = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: preview.revision,
      indexes: [2],
    });
    expect(pruned).toMatchObject({ status: "pruned", removedCount: 1 });
  });

  it("lets a session pass that only others' claims and events surround", async () => {
    daemon.database.exec(LEASE_SCHEMA);
    daemon.insertSession("ses_other", { time_suspended: 1, time_compacting: 1, revert: "{}" });
    daemon.database.exec(`
      INSERT INTO session_execution VALUES ('ses_other', 'running', 'o', 1);
      INSERT INTO session_recovery VALUES ('ses_other', 0);
      INSERT INTO event VALUES ('evt_1', 'ses_other', 1, 0, 'session.text.ended', '{}')`);
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const answer = await daemon.call("prune", {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: revisionOfStored(GOOD),
      indexes: [1],
    });
    expect(answer).toMatchObject({ status: "pruned" });
    expect(daemon.data()).toBe(stored([TEXT, REASONING]));
  });

  it("notices what appears after it has pruned once", async () => {
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const request = { sessionID: SESSION, messageID: MESSAGE };
    const first = { ...request, revision: revisionOfStored(GOOD), indexes: [1] };
    expect(await daemon.call("prune", first)).toMatchObject({ status: "pruned" });
    const second = { ...request, revision: revisionOfStored(daemon.data()), indexes: [1] };
    daemon.database.exec("CREATE TRIGGER on_kv AFTER DELETE ON kv BEGIN SELECT 1; END");
    expect(await daemon.call("prune", second)).toEqual({ status: "blocked", reason: "unsupported_storage" });
    daemon.database.exec("DROP TRIGGER on_kv");
    daemon.database.exec(
      `${LEASE_SCHEMA} INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 1)`,
    );
    expect(await daemon.call("prune", second)).toEqual({ status: "blocked", reason: "maintenance_required" });
    daemon.database.exec("DELETE FROM session_execution");
    expect(await daemon.call("prune", second)).toMatchObject({ status: "pruned" });
  });

  it("takes leased claims for durable ones where a runtime has these alone", async () => {
    daemon.database.exec(
      `${LEASE_SCHEMA} DROP INDEX session_v2_time_suspended_idx; ALTER TABLE session_v2 DROP COLUMN time_suspended`,
    );
    daemon.insertSession();
    daemon.insertMessage(GOOD);
    await daemon.load();
    const request = {
      sessionID: SESSION,
      messageID: MESSAGE,
      revision: revisionOfStored(GOOD),
      indexes: [1],
    };
    daemon.database.exec(`INSERT INTO session_execution VALUES ('${SESSION}', 'running', 'o', 1)`);
    expect(await daemon.call("prune", request)).toEqual({
      status: "blocked",
      reason: "maintenance_required",
    });
    daemon.database.exec("DELETE FROM session_execution");
    expect(await daemon.call("prune", request)).toMatchObject({ status: "pruned" });
  });
});

function revisionOf(data: string | Buffer): string {
  try {
    return revisionOfStored(data.toString());
  } catch {
    return "0".repeat(64);
  }
}
