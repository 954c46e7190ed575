import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGate, type ModelAnswer, type ScriptedProvider, startProvider } from "../../src/demo/index.ts";

describe("the scripted provider", () => {
  let provider: ScriptedProvider;
  beforeEach(async () => {
    provider = await startProvider();
  });
  afterEach(() => provider.close());

  const ask = (kind: string, content: string) =>
    fetch(`${provider.url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-kind": kind },
      body: JSON.stringify({ model: "fixture", stream: true, messages: [{ role: "user", content }] }),
    });
  /** The choices of every streamed chunk. */
  const choices = async (response: Response) =>
    (await response.text())
      .split("\n\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => JSON.parse(line.slice("data: ".length)).choices[0]);
  const said = async (response: Response) =>
    (await choices(response)).map((choice) => choice.delta.content ?? "").join("");

  it("answers each queued answer once, in order, and then its default", async () => {
    provider.queue([[{ text: "first" }], [{ text: "second" }]]);
    expect(await said(await ask("primary", "1"))).toBe("first");
    expect(await said(await ask("primary", "2"))).toBe("second");
    expect(await said(await ask("primary", "3"))).toBe("Done.");
  });

  it("keeps the queues of different kinds apart and records every request", async () => {
    provider.queue([{ text: "the answer" }]);
    provider.queue([{ text: "the summary" }], "compaction");
    expect(await said(await ask("compaction", "sum up"))).toBe("the summary");
    expect(await said(await ask("primary", "go on"))).toBe("the answer");
    expect(provider.requests.map(({ kind, body }) => [kind, body.messages[0]?.content])).toEqual([
      ["compaction", "sum up"],
      ["primary", "go on"],
    ]);
  });

  it("streams long reasoning and a tool's arguments in several deltas", async () => {
    const answer: ModelAnswer = [
      { reasoning: "why ".repeat(500) },
      { tool: { name: "lookup", id: "call_7", input: { text: "x".repeat(1000) } } },
    ];
    provider.queue(answer);
    const streamed = await choices(await ask("primary", "look it up"));
    const reasoning = streamed.flatMap(({ delta }) => delta.reasoning_content ?? []);
    expect(reasoning.length).toBeGreaterThan(2);
    expect(reasoning.join("")).toBe("why ".repeat(500));
    const calls = streamed.flatMap(({ delta }) => delta.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, id: "call_7", function: { name: "lookup" } });
    const input = calls.map((call) => call.function.arguments).join("");
    expect(JSON.parse(input)).toEqual({ text: "x".repeat(1000) });
    expect(streamed.at(-1).finish_reason).toBe("tool_calls");
  });

  it("holds an answer open at a gate until the gate opens", async () => {
    const gate = createGate();
    provider.queue([{ text: "so far" }, { hold: gate }, { text: " and on" }]);
    const response = await ask("primary", "wait");
    await gate.reached;
    gate.open();
    expect(await said(response)).toBe("so far and on");
  });

  it("breaks a held answer off when it is closed", async () => {
    const gate = createGate();
    provider.queue([{ hold: gate }]);
    const held = await ask("primary", "wait");
    await gate.reached;
    const ending = held.text().then(
      () => "ended",
      () => "broken off",
    );
    await provider.close();
    expect(await ending).toBe("broken off");
  });

  it("answers a failure with its status", async () => {
    provider.queue([{ failure: { status: 529, message: "too busy" } }]);
    const response = await ask("primary", "try");
    expect(response.status).toBe(529);
    expect(await response.json()).toEqual({ error: { message: "too busy" } });
  });

  it("resolves received with the request that it waited for", async () => {
    const second = provider.received("title", 2);
    for (const kind of ["title one", "primary between", "title two"]) {
      const [name = "", content = ""] = kind.split(" ");
      await said(await ask(name, content));
    }
    expect((await second).body.messages[0]?.content).toBe("two");
  });
});
