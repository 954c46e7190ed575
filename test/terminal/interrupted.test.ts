import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AppDaemon, importWreck, startAppDaemon, type Terminal } from "./support/index.ts";

const MESSAGES = 2_000;
/** The claim of a program that was killed is good for half a minute. */
const CLAIM_RAN_OUT = 60_000;
const CLEANED = 90_000;

const OURS = /^session_message msg_wreck_\d+: data$/;
/** It notes when a project was used last. */
const OF_THE_DAEMON = /^project \w+: time_active$/;

let native: AppDaemon;
let terminal: Terminal;

beforeAll(async () => {
  native = await startAppDaemon();
  await native.installPlugin();
  await importWreck(native, MESSAGES);
});
afterAll(() => native?.remove());
afterEach(() => terminal?.close());

const count = (pattern: RegExp) => Number(pattern.exec(terminal.text())?.[1]?.replace(",", ""));

describe("a cleanup whose app was killed", () => {
  it("is offered at the next start, resumed with a key, and everything is pruned exactly once", async () => {
    const kept = await mkdtemp(join(native.daemon.home, "kept-"));
    const environment = { XDG_STATE_HOME: join(kept, "state"), XDG_CACHE_HOME: join(kept, "cache") };
    const stored = native.remember();
    terminal = await native.openApp({ environment });
    await terminal.until("Raise the wreck");
    await terminal.press("c");
    await terminal.until("Deletes 4,000 parts", CLEANED);
    await terminal.press("y");
    await terminal.type("4000");
    await terminal.press("Enter");
    await terminal.until(/\b[1-9][\d,]* of 2,000 messages/, CLEANED);
    terminal.signal("SIGKILL");
    await terminal.ended;
    const before = stored.receipts();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(MESSAGES);

    terminal = await native.openApp({ environment });
    await terminal.until(/An interrupted cleanup has [\d,]+ messages left: press u/, CLAIM_RAN_OUT);
    const left = count(/has ([\d,]+) messages left/);
    expect(left).toBeGreaterThanOrEqual(MESSAGES - before);
    await terminal.press("u");
    await terminal.until("It was cut off. Resuming reads afresh");
    await terminal.press("r");
    await terminal.until("It is irreversible. y resumes; any other key does not.");
    expect(stored.receipts(), "nothing is resumed without the key").toBe(before);
    await terminal.press("y");
    await terminal.until(/Pruned [\d,]+ parts in [\d,]+ messages/, CLEANED);
    expect(count(/parts in ([\d,]+) messages/)).toBe(left);

    expect(stored.receipts(), "one receipt a message").toBe(MESSAGES);
    const others = stored.changes().filter((change) => !OURS.test(change) && !OF_THE_DAEMON.test(change));
    expect(others).toEqual([]);
    const { rows } = native.remember();
    for (let n = 0; n < MESSAGES; n += 1) {
      const id = `msg_wreck_${n}`;
      expect(String(rows.get(id)?.data)).toBe(String(stored.without(id, [1, 2])));
    }
    await terminal.press("Esc");
    await terminal.until("Sessions 1");
    expect(terminal.text()).not.toContain("interrupted");
  });
});
