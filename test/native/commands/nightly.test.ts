import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate } from "../../../src/demo/index.ts";
import { type Native, startNative } from "../support/index.ts";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../support/messages.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli } from "../support/run-cli.ts";

const LARGE = "x".repeat(60_000);
const gate = createGate();
let native: Native;

beforeAll(async () => {
  native = await startNative();
});

afterAll(async () => {
  gate.open();
  await native?.close();
});

async function importSession(sessionID: string, messages: readonly unknown[]): Promise<void> {
  await native.call("POST", "/api/experimental/session/import", {
    info: {
      id: sessionID,
      projectID: "global",
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { created: 1_700_000_000_000, updated: 1_700_000_000_000 },
      title: sessionID,
      location: { directory: native.directory },
    },
    messages,
    location: { directory: native.directory },
  });
}

const old = (messageID: string, size: string) =>
  assistantMessage(messageID, [
    textPart("kept"),
    reasoningPart(LARGE),
    toolPart(`call_${messageID}`, size),
    toolPart(`call_${messageID}_small`, "small"),
  ]);

const night = () =>
  runCli(
    [
      ...[
        "prune",
        "--all-sessions",
        "--tools",
        "--older-than",
        "14d",
        "--min-size",
        "50k",
        "--yes",
        "--json",
      ],
      ...["--server", native.daemon.url],
    ],
    native.daemon.environment,
  );

const kindsOf = async (sessionID: string) =>
  (await native.messages(sessionID))
    .filter(({ type }) => type === "assistant")
    .map(({ content }) => content.map((part: { type: string; id?: string }) => part.id ?? part.type));

describe("the nightly script of somebody whose daemon is working", () => {
  it("skips what runs, finishes the rest, and does nothing the second time", async () => {
    const now = Date.now();
    const recent = assistantMessage("msg_recent", [toolPart("call_recent", LARGE)], {
      created: now - 60_000,
      completed: now,
    });
    await importSession("ses_idle_1", [old("msg_1", LARGE), old("msg_2", LARGE)]);
    await importSession("ses_idle_2", [old("msg_3", "short"), old("msg_4", LARGE)]);
    await importSession("ses_fresh", [
      { ...recent, content: recent.content.map((part) => ({ ...Object(part), time: { created: now } })) },
    ]);
    await importSession("ses_running", [old("msg_5", LARGE)]);
    native.provider.queue([[{ text: "let me think" }, { hold: gate }]]);
    await native.call("POST", "/api/session/ses_running/prompt", { text: "go on" });
    await gate.reached;

    const first = await night();
    expect(first.stderr).toBe("");
    const done = publishedDocument("prune", first.stdout);
    expect(done).toMatchObject({
      complete: false,
      stopped: false,
      planned: { sessions: 2, messages: 3, parts: 3 },
      pruned: { sessions: 2, messages: 3, parts: 3 },
      refused: [{ sessionID: "ses_running", parts: 1, reason: "maintenance_required" }],
      problems: [],
    });
    expect(first.code).toBe(3);

    const untouched = (messageID: string) => [
      "text",
      "reasoning",
      `call_${messageID}`,
      `call_${messageID}_small`,
    ];
    const pruned = (messageID: string) => ["text", "reasoning", `call_${messageID}_small`];
    expect(await kindsOf("ses_idle_1")).toEqual([pruned("msg_1"), pruned("msg_2")]);
    expect(await kindsOf("ses_idle_2")).toEqual([untouched("msg_3"), pruned("msg_4")]);
    expect(await kindsOf("ses_fresh")).toEqual([["call_recent"]]);
    expect((await kindsOf("ses_running"))[0]).toEqual(untouched("msg_5"));

    const second = publishedDocument("prune", (await night()).stdout);
    expect(second).toMatchObject({ planned: { parts: 0 }, pruned: { parts: 0 }, refused: done.refused });

    gate.open();
    await native.call("POST", "/api/experimental/session/ses_running/wait");
    const third = await night();
    expect(third.code).toBe(0);
    expect(publishedDocument("prune", third.stdout)).toMatchObject({ complete: true, pruned: { parts: 1 } });
    expect(await night()).toMatchObject({ code: 0 });
    expect((await kindsOf("ses_running"))[0]).toEqual(pruned("msg_5"));
  });
});
