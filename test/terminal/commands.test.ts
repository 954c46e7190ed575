import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../native/support/messages.ts";
import { type AppDaemon, openTerminal, startAppDaemon, type Terminal } from "./support/index.ts";

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
});
afterEach(() => terminal?.close());
afterAll(() => native?.remove());

function run(...args: string[]): void {
  terminal = openTerminal({
    arguments: [...args, "--server", native.daemon.url],
    environment: native.daemon.environment,
    columns: 110,
  });
}

async function importSample(sessionID: string, messages = 1): Promise<void> {
  const samples = Array.from({ length: messages }, (_, position) =>
    assistantMessage(`msg_${sessionID}_${1_000 + position}`, [
      textPart("Kept."),
      reasoningPart("Hm."),
      toolPart(`call_${sessionID}_${position}`, "output ".repeat(50)),
    ]),
  );
  await native.importSession(sessionID, `Title of ${sessionID}`, samples);
}

const technicalParts = async (sessionID: string) =>
  (await native.messages(sessionID))
    .flatMap((message) => message.content ?? [])
    .filter(({ type }) => type !== "text").length;

describe("a prune on a terminal", () => {
  it("asks, after it said what would go, and prunes after a yes", async () => {
    await importSample("ses_asked");
    run("prune", "ses_asked");
    await terminal.until("Delete this for good? Type yes to go on:", 30_000);
    expect(terminal.text()).toMatch(/Would prune 2 parts .* of 1 message\.\nThis cannot be undone\./);
    expect(await technicalParts("ses_asked")).toBe(2);
    await terminal.type("yes");
    await terminal.press("Enter");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect(terminal.text()).toContain("Pruned 2 parts");
    expect(await technicalParts("ses_asked")).toBe(0);
  });

  it.each([
    ["y", ["Enter"]],
    ["", ["Enter"]],
    ["no", ["Enter"]],
    ["", ["ctrl-c"]],
    ["", ["ctrl-d"]],
  ])("prunes nothing after %j and %j", async (answer, keys) => {
    const sessionID = `ses_no_${answer}_${keys[0]?.toLowerCase().replace("-", "_")}`;
    await importSample(sessionID);
    run("prune", sessionID);
    await terminal.until("Type yes to go on:", 30_000);
    if (answer !== "") await terminal.type(answer);
    await terminal.press(...keys);
    expect(await terminal.ended).toEqual({ code: 1, signal: 0 });
    expect(terminal.text()).toContain("Nothing was pruned; it was not confirmed.");
    expect(await technicalParts(sessionID)).toBe(2);
  });

  it("refuses what changed while it was asking, and prunes the rest", async () => {
    await importSample("ses_changed", 30);
    run("prune", "ses_changed", "--tools");
    await terminal.until("Type yes to go on:", 30_000);
    await native.prune("ses_changed", "msg_ses_changed_1011", [1]);
    await terminal.type("yes");
    await terminal.press("Enter");
    expect(await terminal.ended).toEqual({ code: 3, signal: 0 });
    expect(terminal.text()).toMatch(/Pruned 29 parts .* of 29 messages/);
    expect(terminal.text()).toContain("Not pruned: 1 part. The message changed after it was previewed.");
    expect(await technicalParts("ses_changed")).toBe(30);
  });

  it("shows how far it has come, stops at ctrl-c after the call under way, and reports", async () => {
    await importSample("ses_bar", 2_000);
    run("prune", "ses_bar", "--yes");
    await terminal.until(/\[#+ +\] +\d+% {2}ses_bar, [\d,]+ of 2,000 messages, .* pruned/, 60_000);
    await terminal.press("ctrl-c");
    expect(await terminal.ended).toEqual({ code: 3, signal: 0 });
    const [, pruned] = /^Pruned ([\d,]+) parts/m.exec(terminal.text()) ?? [];
    const [, skipped] = /^Stopped: ([\d,]+) planned messages? not asked for/m.exec(terminal.text()) ?? [];
    const [gone, left] = [pruned, skipped].map((count) => Number(count?.replace(",", "")));
    expect(gone).toBe(4_000 - 2 * (left ?? 0));
    expect(terminal.text()).not.toContain("[#");
    expect(await technicalParts("ses_bar")).toBe(2 * (left ?? 0));
  });
});

describe("other commands on a terminal", () => {
  it("watch tells in sentences what happens", async () => {
    await importSample("ses_watched");
    run("watch");
    await terminal.until(/Z {2}connected: \d+ sessions/, 30_000);
    await native.prune("ses_watched", "msg_ses_watched_1000", [1]);
    await terminal.until("pruned ses_watched msg_ses_watched_1000 Title of ses_watched");
    await terminal.press("ctrl-c");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
  });

  it("the doctor looks at the terminal, too", async () => {
    run("doctor");
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toMatch(/ok {4}size: 110 × 30\n {2}ok {4}kind: TERM is xterm-256color/);
  });
});
