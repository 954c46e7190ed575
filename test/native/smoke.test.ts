import { resolve } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OpenCode, passwordHeaders } from "#opencode/client";
import { type Demo, findRuntime, pruneAndCheck, startDemo } from "../../src/demo/index.ts";
import { createPluginLifecycle } from "../../src/opencode/index.ts";
import { createPruning } from "../../src/pruning/index.ts";
import type { PruningPort } from "../../src/state/ports.ts";

describe("the check of the demo's smoke form", () => {
  let demo: Demo;
  let pruning: PruningPort;
  beforeEach(async () => {
    const found = await findRuntime();
    if ("missing" in found) throw new Error(found.missing);
    demo = await startDemo(found.binary);
    const { daemon } = demo;
    const client = OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password) });
    const source = resolve(import.meta.dirname, "../../dist/plugin");
    expect(await createPluginLifecycle({ client, source }).install()).toMatchObject({ state: "ready" });
    pruning = createPruning({ client });
  });
  afterEach(() => demo.remove());

  /** Prunes as ever, and then does something to the database behind its back. */
  const meddling = (sql: string): PruningPort => ({
    plan: pruning.plan,
    async prune(plan, options) {
      const report = await pruning.prune(plan, options);
      const stored = new Database(demo.daemon.database, { timeout: 5_000 });
      expect(stored.prepare(sql).run(plan.messages[0]?.messageID).changes).toBeGreaterThan(0);
      stored.close();
      return report;
    },
  });
  const check = (port: PruningPort) => pruneAndCheck(demo, port, () => {});

  it("is content with a right prune", async () => {
    await expect(check(pruning)).resolves.toBeUndefined();
  });

  it("notices a prune that did nothing", async () => {
    const lying: PruningPort = {
      plan: pruning.plan,
      prune: async (plan) => ({
        prunedParts: plan.parts,
        prunedMessages: 1,
        prunedBytes: plan.bytes,
        skippedMessages: 0,
        refused: [],
        stopped: false,
      }),
    };
    await expect(check(lying)).rejects.toThrow(/message msg_\w+ is not what it should be/);
  });

  it("notices a third part that went too", async () => {
    const greedy = meddling(
      "UPDATE session_message SET data = json_remove(data, '$.content[0]') WHERE id = ?",
    );
    await expect(check(greedy)).rejects.toThrow(/message msg_\w+ is not what it should be/);
  });

  it("notices a change in another message", async () => {
    const careless = meddling(
      `UPDATE session_message SET data = json_set(data, '$.text', 'something else')
        WHERE type = 'user' AND session_id = (SELECT session_id FROM session_message WHERE id = ?)`,
    );
    await expect(check(careless)).rejects.toThrow(/message msg_\w+ is not what it should be/);
  });

  it("notices bytes that changed while their meaning did not", async () => {
    const tidy = meddling(
      "UPDATE session_message SET data = replace(data, '\"cost\":0', '\"cost\":0.0') WHERE id = ?",
    );
    await expect(check(tidy)).rejects.toThrow(/stored bytes of msg_\w+ are not what they should be/);
  });
});
