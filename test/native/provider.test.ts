import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate } from "../../src/demo/index.ts";
import { type Native, startNative } from "./support/index.ts";

describe("the scripted provider under a real daemon", () => {
  let native: Native;
  beforeAll(async () => {
    native = await startNative({ plugins: [], tools: [{ name: "lookup", output: "one\ntwo" }] });
  });
  afterAll(() => native.close());

  const assistants = async (sessionID: string) =>
    (await native.messages(sessionID)).filter((message) => message.type === "assistant");

  it("turns a scripted answer into finished messages with reasoning, text and a tool's output", async () => {
    native.provider.queue([
      [
        { reasoning: "It must be written down." },
        { text: "Looking." },
        { tool: { name: "lookup", input: {} } },
      ],
      [{ text: "There are two." }],
    ]);
    const [first, second] = await assistants(await native.converse("How many are there?"));
    expect(first.content).toMatchObject([
      { type: "reasoning", text: "It must be written down." },
      { type: "text", text: "Looking." },
      {
        type: "tool",
        name: "lookup",
        state: { status: "completed", content: [{ type: "text", text: "one\ntwo" }] },
      },
    ]);
    expect(first.time.completed).toBeGreaterThan(0);
    expect(second.content).toEqual([{ type: "text", text: "There are two." }]);
  });

  it("tells primary requests from auxiliary ones and records what they carry", async () => {
    native.provider.queue([{ text: "Yes." }]);
    native.provider.otherwise([{ text: "A short title" }], "title");
    await native.converse("Is it recorded?");
    const kinds = native.provider.requests.map((request) => request.kind);
    expect(kinds).toContain("primary");
    expect(kinds).toContain("title");
    const last = native.provider.requests.findLast((request) => request.kind === "primary");
    expect(last?.body.messages.at(-1)).toMatchObject({ role: "user", content: "Is it recorded?" });
  });

  it("names a compaction's request", async () => {
    native.provider.queue([{ text: "Much was said. ".repeat(50) }]);
    const session = await native.converse("Say much.");
    native.provider.queue([{ text: "In short." }], "compaction");
    await native.call("POST", `/api/session/${session}/compact`, {});
    await native.provider.received("compaction", 1);
    await native.call("POST", `/api/experimental/session/${session}/wait`);
  });

  it("holds an answer open until it is released, and the session runs meanwhile", async () => {
    const gate = createGate();
    native.provider.queue([{ reasoning: "Wait." }, { hold: gate }, { text: "Released." }]);
    const created = await native.call("POST", "/api/session", { location: { directory: native.directory } });
    const session = created.data.id;
    await native.call("POST", `/api/session/${session}/prompt`, { text: "Take your time." });
    await gate.reached;
    const active = await native.call("GET", "/api/session/active");
    expect(active.data).toHaveProperty(session);
    gate.open();
    await native.call("POST", `/api/experimental/session/${session}/wait`);
    const [only] = await assistants(session);
    expect(only.content.at(-1)).toEqual({ type: "text", text: "Released." });
  });
});
