import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, userMessage } from "../native/support/messages.ts";
import {
  type OpencodeScreens,
  PATIENCE,
  shellPart,
  startOpencodeScreens,
} from "./support/opencode-screen.ts";
import type { Terminal } from "./support/terminal.ts";

const COMMAND = "cat ledger";
const OUTPUT = "LEDGER-7731 unloaded";
const ANSWER = "It was the ledger.";

/** The index of the tool part in the message below. */
const SHELL = 1;
const session = (id: string) => [
  userMessage(`msg_${id}_0`, "What was unloaded?"),
  assistantMessage(`msg_${id}_1`, [
    reasoningPart("The ledger knows."),
    shellPart(`call_${id}`, COMMAND, OUTPUT),
    textPart(ANSWER),
  ]),
];
const has = (text: string) => (rows: readonly string[]) => rows.join("\n").includes(text);
const isGone = (text: string) => (rows: readonly string[]) => !has(text)(rows);

/** The screen shows `kept` and not `gone`. Both at once: OpenCode blanks texts for some frames when it reads. */
async function untilOnly(terminal: Terminal, kept: string, gone: string) {
  await terminal.until((rows) => has(kept)(rows) && isGone(gone)(rows), PATIENCE);
  await terminal.quiet(1_000);
  await terminal.until(kept, PATIENCE);
  expect(terminal.text()).not.toContain(gone);
}

describe("OpenCode's own screen with our entry", () => {
  let screens: OpencodeScreens;
  beforeAll(async () => {
    screens = await startOpencodeScreens();
    await screens.installPlugin();
  });
  afterAll(() => screens?.remove());

  it("takes a pruned tool output off the screen without a key press, and leaves the answer", async () => {
    await screens.importSession("ses_live", "Unloading", session("live"));
    const terminal = await screens.open("ses_live");
    await terminal.until(OUTPUT, PATIENCE);
    await screens.opencodePrune("prune", "ses_live", "--tools", "--yes");
    await untilOnly(terminal, ANSWER, OUTPUT);
    expect(terminal.text()).not.toContain(COMMAND);
  });

  it("shows the history as it is after a connection that was cut while somebody pruned", async () => {
    await screens.importSession("ses_cut", "Cut off", session("cut"));
    const terminal = await screens.open("ses_cut");
    await terminal.until(OUTPUT, PATIENCE);
    screens.gateway.cut();
    await terminal.until("Connection lost", PATIENCE);
    await screens.prune("ses_cut", "msg_cut_1", [SHELL]);
    expect(terminal.text()).toContain(COMMAND);
    screens.gateway.mend();
    await terminal.until(isGone("Connection lost"), PATIENCE);
    await untilOnly(terminal, ANSWER, COMMAND);
  });

  it("leaves a reader who scrolled up to older messages where they are", async () => {
    const messages = Array.from({ length: 40 }, (_, turn) => [
      userMessage(`msg_long_${turn + 100}a`, `Question ${turn}`),
      assistantMessage(`msg_long_${turn + 100}b`, [
        shellPart(`call_long_${turn}`, `cat page ${turn}`, `PAGE-${turn}`),
        textPart(`Answer ${turn}.`),
      ]),
    ]).flat();
    await screens.importSession("ses_long", "A long one", messages);
    const terminal = await screens.open("ses_long");
    await terminal.until("Answer 39.", PATIENCE);
    while (!(has("PAGE-25")(terminal.screen()) && has("Answer 25.")(terminal.screen()))) {
      const before = terminal.text();
      await terminal.press("PgUp");
      await terminal.until(() => terminal.text() !== before, PATIENCE);
      await terminal.quiet();
    }
    await screens.prune("ses_long", "msg_long_125b", [0]);
    await untilOnly(terminal, "Answer 25.", "PAGE-25");
  });
});

describe("/prune in OpenCode's own screen", () => {
  let screens: OpencodeScreens;
  beforeAll(async () => {
    screens = await startOpencodeScreens();
    await screens.installPlugin();
    await screens.importSession("ses_said", "Said", session("said"));
  });
  afterAll(() => screens?.remove());

  it("says how to open opencode-prune on the session that is shown", async () => {
    const terminal = await screens.open("ses_said");
    await terminal.until(OUTPUT, PATIENCE);
    await terminal.type("/prune");
    await terminal.until("Open opencode-prune", PATIENCE);
    await terminal.press("Enter");
    await terminal.until("opencode-prune --session ses_said", PATIENCE);
    await terminal.press("Esc");
    await terminal.until(isGone("opencode-prune --session"), PATIENCE);
  });

  it("is in the palette too, and without a session it names none", async () => {
    const terminal = await screens.open();
    await terminal.press("ctrl-p");
    await terminal.until("Commands", PATIENCE);
    await terminal.type("prune");
    await terminal.until("Prune this session", PATIENCE);
    await terminal.press("Enter");
    await terminal.until("run this in another terminal", PATIENCE);
    expect(terminal.text()).not.toContain("--session");
  });
});

describe("OpenCode's own screen without our entry", () => {
  let screens: OpencodeScreens;
  beforeAll(async () => {
    screens = await startOpencodeScreens();
    await screens.installPluginWithoutEntry();
  });
  afterAll(() => screens?.remove());

  it("goes on showing what was pruned", async () => {
    await screens.importSession("ses_stale", "Stale", session("stale"));
    const terminal = await screens.open("ses_stale");
    await terminal.until(OUTPUT, PATIENCE);
    await screens.prune("ses_stale", "msg_stale_1", [SHELL]);
    // The new title comes behind the pruned event on the same stream: when it is drawn, that one was seen.
    await screens.rename("ses_stale", "Renamed since");
    await terminal.until("Renamed since", PATIENCE);
    await terminal.quiet(1_000);
    expect(terminal.text()).toContain(OUTPUT);
    expect(JSON.stringify(await screens.messages("ses_stale"))).not.toContain(OUTPUT);
  });
});

describe("OpenCode's own screen that was open before the plugin came", () => {
  let screens: OpencodeScreens;
  beforeAll(async () => {
    screens = await startOpencodeScreens();
    await screens.importSession("ses_hot", "Hot", session("hot"));
  });
  afterAll(() => screens?.remove());

  it("has the entry from the installation to the removal, without a restart", async () => {
    const terminal = await screens.open("ses_hot");
    await terminal.until(OUTPUT, PATIENCE);
    await screens.installPlugin();
    await screens.prune("ses_hot", "msg_hot_1", [SHELL]);
    await untilOnly(terminal, ANSWER, OUTPUT);
    await terminal.type("/prune");
    await terminal.until("Open opencode-prune", PATIENCE);
    await screens.opencodePrune("plugin", "remove");
    await terminal.until(isGone("Open opencode-prune"), PATIENCE);
  });
});
