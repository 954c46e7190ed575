import { rm } from "node:fs/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRUNED_EVENT, PRUNING_RPC, revisionOf } from "../../src/contract/index.ts";
import { createGate } from "../../src/demo/index.ts";
import { type Native, startNative } from "./support/index.ts";
import { bundlePlugin } from "./support/pruning-daemon.ts";

const OUTPUT = "the output of the lookup";
let native: Native;
let plugin: string;

beforeAll(async () => {
  plugin = await bundlePlugin("test/native/support/slow-commit-plugin.ts");
  native = await startNative({
    plugins: [
      {
        package: plugin,
        options: { delays: { COMMIT: 400 } },
      },
    ],
    tools: [{ name: "lookup", output: OUTPUT }],
  });
});
afterAll(async () => {
  await native?.close();
  await rm(plugin, { recursive: true, force: true });
});

const rpc = async (method: string, input: unknown) =>
  (await native.rpc(PRUNING_RPC, method, native.directory, input)).body.output;
const assistants = async (sessionID: string) =>
  (await native.messages(sessionID)).filter((message) => message.type === "assistant");

/** A settled conversation whose first answer thought, spoke and called a tool. Answers the session's id. */
async function converse(): Promise<string> {
  native.provider.queue([
    [{ reasoning: "I shall look it up." }, { text: "Looking." }, { tool: { name: "lookup", input: {} } }],
    [{ text: "It is there." }],
  ]);
  return native.converse("Where is it?");
}

/** The request that prunes every technical part of the first answer. */
async function requestFor(sessionID: string) {
  const [first] = await assistants(sessionID);
  const preview = await rpc("preview", { sessionID, messageID: first.id });
  expect(preview).toMatchObject({ status: "preview", revision: revisionOf(first.content) });
  return {
    sessionID,
    messageID: first.id,
    revision: preview.revision,
    indexes: preview.parts.map((part: { index: number }) => part.index),
  };
}

async function nextModelRequest(sessionID: string, prompt: string): Promise<string> {
  const count = native.provider.requests.filter((request) => request.kind === "primary").length;
  await native.call("POST", `/api/session/${sessionID}/prompt`, { text: prompt });
  const request = await native.provider.received("primary", count + 1);
  await native.call("POST", `/api/experimental/session/${sessionID}/wait`);
  return JSON.stringify(request.body.messages);
}

function stored(messageID: string): string {
  const database = new Database(native.daemon.database, { readonly: true });
  try {
    return String(database.prepare("SELECT data FROM session_message WHERE id = ?").pluck().get(messageID));
  } finally {
    database.close();
  }
}

describe("pruning beside real generations", () => {
  it("takes from the model's next request what was pruned, and nothing else", async () => {
    const sessionID = await converse();
    const request = await requestFor(sessionID);
    const before = JSON.parse(stored(request.messageID));

    expect(await rpc("prune", request)).toMatchObject({ status: "pruned", removedCount: 2 });
    const after = JSON.parse(stored(request.messageID));
    expect(after).toEqual({ ...before, content: [before.content[1]] });

    const asked = await nextModelRequest(sessionID, "And then?");
    expect(asked).not.toContain(OUTPUT);
    expect(asked).not.toContain("I shall look it up.");
    for (const kept of ["Where is it?", "Looking.", "It is there.", "And then?"])
      expect(asked).toContain(kept);
  });

  it("is refused while a generation is held open, and possible when it has settled", async () => {
    const sessionID = await converse();
    const request = await requestFor(sessionID);
    const before = stored(request.messageID);
    const gate = createGate();
    native.provider.queue([{ text: "Working " }, { hold: gate }, { text: "and done." }]);
    await native.call("POST", `/api/session/${sessionID}/prompt`, { text: "Take your time." });
    await gate.reached;

    expect(await rpc("prune", request)).toEqual({ status: "blocked", reason: "maintenance_required" });
    expect(await rpc("preview", { sessionID, messageID: request.messageID })).toMatchObject({
      status: "preview",
      liveMutation: true,
    });
    expect(stored(request.messageID)).toBe(before);

    gate.open();
    await native.call("POST", `/api/experimental/session/${sessionID}/wait`);
    expect(await rpc("prune", request)).toMatchObject({ status: "pruned" });
  });

  it("that has the lock first is read by the prompt that came during it", async () => {
    const sessionID = await converse();
    const request = await requestFor(sessionID);
    const prune = rpc("prune", request);
    // The commit sleeps for 400 ms under the lock; the prompt arrives meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const asked = nextModelRequest(sessionID, "And then?");
    expect(await prune).toMatchObject({ status: "pruned" });
    expect(await asked).not.toContain(OUTPUT);
  });

  it("racing a prompt is either refused, or seen by that prompt's request", async () => {
    for (let round = 0; round < 6; round += 1) {
      const sessionID = await converse();
      const request = await requestFor(sessionID);
      const prompted = round % 2 === 0 ? undefined : nextModelRequest(sessionID, "And then?");
      const answered = rpc("prune", request);
      const asked = await (prompted ?? nextModelRequest(sessionID, "And then?"));
      const answer = await answered;
      const isPruned = answer.status === "pruned";
      expect(isPruned || answer.reason).toBe(isPruned || "maintenance_required");
      expect(stored(request.messageID).includes(OUTPUT)).toBe(!isPruned);
      expect(isPruned || asked.includes(OUTPUT)).toBe(true);
    }
  });

  it("tells two subscribers, once for the prune and once for the retry", async () => {
    const sessionID = await converse();
    const request = await requestFor(sessionID);
    const first = await subscribe();
    const second = await subscribe();
    const pruned = await rpc("prune", request);
    await rpc("prune", request);
    const event = { sessionID, messageID: request.messageID, revision: pruned.revision };
    expect(await first.next(2)).toEqual([event, event]);
    expect(await second.next(2)).toEqual([event, event]);
  });

  it("of a session leaves its fork alone, and the other way round", async () => {
    const sessionID = await converse();
    const fork = (await native.call("POST", `/api/session/${sessionID}/fork`, {})).data.id;
    const [original] = await assistants(sessionID);
    const [copy] = await assistants(fork);
    expect(await rpc("prune", await requestFor(sessionID))).toMatchObject({ status: "pruned" });
    expect((await assistants(fork))[0].content).toEqual(copy.content);
    expect(await rpc("prune", await requestFor(fork))).toMatchObject({ status: "pruned" });
    expect((await assistants(sessionID))[0].content).toEqual([original.content[1]]);
  });

  it("reaches behind a compaction without changing its summary", async () => {
    const sessionID = await converse();
    native.provider.queue([{ text: "In short: it was found." }], "compaction");
    await native.call("POST", `/api/session/${sessionID}/compact`, {});
    await native.call("POST", `/api/experimental/session/${sessionID}/wait`);
    const summaries = async () =>
      (await native.messages(sessionID)).filter((message) => message.type === "compaction");
    const before = await summaries();
    expect(before).toHaveLength(1);
    expect(await rpc("prune", await requestFor(sessionID))).toMatchObject({ status: "pruned" });
    expect(await summaries()).toEqual(before);
  });

  it("survives a restart, and so does its receipt", async () => {
    const sessionID = await converse();
    const request = await requestFor(sessionID);
    const pruned = await rpc("prune", request);
    await native.daemon.stop("SIGKILL");
    await native.daemon.start();
    const after = stored(request.messageID);
    expect(after).not.toContain(OUTPUT);
    expect(await rpc("prune", { ...request, indexes: [...request.indexes].reverse() })).toEqual(pruned);
    expect(stored(request.messageID)).toBe(after);
    expect(await nextModelRequest(sessionID, "And then?")).not.toContain(OUTPUT);
  });
});

/** Listens to the daemon's event stream as a client does. */
async function subscribe() {
  const authorization = `Basic ${Buffer.from(`opencode:${native.daemon.password}`).toString("base64")}`;
  const answer = await fetch(`${native.daemon.url}/api/event`, { headers: { authorization } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("The event stream has no body.");
  let text = "";
  const events = () =>
    text
      .split("\n\n")
      .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          return [];
        }
      });
  while (!events().some((event) => event.type === "server.connected"))
    text += (await reader.read()).value ?? "";
  return {
    async next(count: number): Promise<unknown[]> {
      for (;;) {
        const pruned = events().filter((event) => event.type === PRUNED_EVENT);
        if (pruned.length >= count) {
          await reader.cancel();
          return pruned.map((event) => event.data);
        }
        text += (await reader.read()).value ?? "";
      }
    },
  };
}
