import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, toolPart } from "../native/support/messages.ts";
import {
  type AppDaemon,
  type Gateway,
  startAppDaemon,
  startGateway,
  type Terminal,
} from "./support/index.ts";

/** A restarted daemon on a loaded machine, and the backoff that waits for it. */
const RECONNECTED = 60_000;

let native: AppDaemon;
let terminal: Terminal;
let gateway: Gateway | undefined;
let imported = 0;
let sessionID: string;
let messageID: string;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
});
afterAll(() => native?.remove());

/** A session for this test alone: a reasoning part of a few bytes, and tools `call_small` and `call_big`. */
beforeEach(async () => {
  imported += 1;
  sessionID = `ses_live_${imported}`;
  messageID = `msg_live_${imported}`;
  const content = [
    textPart("Kept."),
    reasoningPart("A thought."),
    toolPart("call_small", "x".repeat(2_000)),
    toolPart("call_big", "y".repeat(300_000)),
  ];
  await native.importSession(sessionID, title(), [assistantMessage(messageID, content)]);
});
afterEach(async () => {
  await terminal?.close();
  await gateway?.close();
  gateway = undefined;
});

/** One word, so that a filter by it finds this session alone, whatever the folders are called. */
const title = () => `Voyage-${imported}`;
const rowOf = (text: string) => terminal.screen().find((row) => row.includes(text)) ?? "";

async function openParts(): Promise<void> {
  await terminal.press("/");
  await terminal.type(title());
  await terminal.press("Enter", "Enter");
  await terminal.until("call_big");
}

describe("a prune by another client", () => {
  it("shows in the parts without a key press, and in the selection", async () => {
    terminal = await native.openApp();
    await openParts();
    await terminal.press("A");
    await terminal.until("Selected: 3 parts");
    await native.prune(sessionID, messageID, [3]);
    await terminal.until((rows) => !rows.join("\n").includes("call_big"));
    expect(terminal.text()).toContain("call_small");
    await terminal.until("1 part left the selection: somebody else pruned or changed it.");
  });

  it("takes the part out of a selection, and moves neither the cursor nor its row", async () => {
    const id = "ses_steady";
    const messages = Array.from({ length: 40 }, (_, n) =>
      assistantMessage(`msg_steady_${n + 10}`, [
        textPart("Kept."),
        toolPart(`call_${n + 10}_a`, "x".repeat(300)),
        toolPart(`call_${n + 10}_b`, "y".repeat(300)),
      ]),
    );
    await native.importSession(id, "A steady course", messages);
    terminal = await native.openApp();
    await terminal.press("/");
    await terminal.type("steady");
    await terminal.press("Enter");
    await terminal.until(/▸ +A steady course/);
    await terminal.press("Enter");
    await terminal.until("call_10_a");
    await terminal.press("A", "PgDn", "PgDn", "Up", "Up", "Up");
    await terminal.until(/▸ .*call_/);
    await terminal.until("Selected: 80 parts");
    await terminal.quiet();
    const under = () => terminal.screen().findIndex((row) => row.startsWith("▸"));
    const line = under();
    const row = terminal.screen()[line] ?? "";

    await native.prune(id, "msg_steady_11", [2]);
    await terminal.until("1 part left the selection: somebody else pruned or changed it.");
    expect([under(), terminal.screen()[line]]).toEqual([line, row]);

    const [, message, part] = /call_(\d+)_([ab])/.exec(row) ?? [];
    const next = terminal.screen()[line + 1] ?? "";
    await native.prune(id, `msg_steady_${message}`, [part === "a" ? 1 : 2]);
    await terminal.until((rows) => rows[line] === `▸${next.slice(1)}`);
    await terminal.press("R");
    await terminal.until("Selected: 78 parts");
  });

  it("shows in the list of sessions without a key press", async () => {
    terminal = await native.openApp();
    await terminal.until(() => /\b3 +30\d kB/.test(rowOf(title())));
    await native.prune(sessionID, messageID, [3]);
    await terminal.until(() => /\b2 +2\.\d kB/.test(rowOf(title())));
    await terminal.press("e");
    await terminal.until(`pruned elsewhere: a message of ${title()}`);
  });

  it("makes a preview of the same message say that it will be refused, and y then prunes nothing of it", async () => {
    terminal = await native.openApp();
    await openParts();
    await terminal.press("j", "Space", "p");
    await terminal.until("It is irreversible.");
    await native.prune(sessionID, messageID, [3]);
    await terminal.until("changed since; will be refused");
    const stored = native.remember();
    await terminal.press("y");
    await terminal.until("Nothing was pruned.");
    expect(terminal.text()).toContain("The message changed after it was previewed.");
    expect(stored.changes()).toEqual([]);
  });
});

describe("losing the daemon", () => {
  it("that is killed and started again on the same port is survived", async () => {
    terminal = await native.openApp();
    await openParts();
    const { port } = native.daemon;
    await native.daemon.stop("SIGKILL");
    await terminal.until("reconnecting");
    expect(terminal.text(), "what was read stays readable").toContain("call_big");
    await native.daemon.start();
    expect(native.daemon.port).toBe(port);
    await terminal.until("│ live │ plugin: ready", RECONNECTED);

    await native.prune(sessionID, messageID, [2]);
    await terminal.until((rows) => !rows.join("\n").includes("call_small"));
    await terminal.press("G", "Space", "p");
    await terminal.until("It is irreversible.");
    await terminal.press("y");
    await terminal.until("Pruned 1 part in 1 message");
    await terminal.press("e");
    await terminal.until(/reconciled: \d+ sessions? compared[\s\S]*connection lost:/);
  });

  it("shows afterwards what was pruned while nobody could be heard, and what was deleted", async () => {
    gateway = await startGateway(native.daemon.port);
    terminal = await native.openApp({ server: gateway.url });
    await openParts();
    await native.importSession("ses_doomed", "Doomed voyage", [
      assistantMessage("msg_doomed", [reasoningPart("Short-lived.")]),
    ]);
    gateway.cut();
    await native.daemon.stop("SIGKILL");
    await terminal.until("reconnecting");
    await native.daemon.start();
    await native.prune(sessionID, messageID, [1, 3]);
    await native.call("DELETE", "/api/session/ses_doomed");
    await terminal.quiet(300);
    expect(terminal.text(), "nothing is guessed while disconnected").toContain("call_big");

    gateway.mend();
    await terminal.until((rows) => !rows.join("\n").includes("call_big"), RECONNECTED);
    await terminal.until("│ live │", RECONNECTED);
    expect(terminal.text()).toContain("call_small");
    expect(terminal.screen().filter((row) => row.includes("[ ]"))).toHaveLength(1);
    await terminal.press("Esc", "Esc");
    await terminal.until(() => /\b1 +2\.\d kB/.test(rowOf(title())));
    expect(terminal.text()).not.toContain("Doomed voyage");
  });

  it("can be left while it is gone, with exit code 0", async () => {
    gateway = await startGateway(native.daemon.port);
    terminal = await native.openApp({ server: gateway.url });
    gateway.cut();
    await terminal.until("reconnecting");
    await terminal.press("q");
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    expect([terminal.buffer(), terminal.cursorHidden()]).toEqual(["normal", false]);
  });
});
