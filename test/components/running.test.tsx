import { describe, expect, it } from "vitest";
import { exampleHistory } from "./example.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

/** A prune of three messages that goes on, message by message, when the test says so. */
async function startPrune(): Promise<OpenedScreen & { next: () => Promise<void> }> {
  let go = (): void => undefined;
  const screen = await openScreen({
    rows: 24,
    prepare(ports) {
      exampleHistory(ports);
      ports.pruning.step = () =>
        new Promise((resolve) => {
          go = resolve;
        });
    },
  });
  await screen.type("enter", "A", "p", "y");
  return {
    ...screen,
    async next() {
      go();
      await screen.drawn();
    },
  };
}

describe("a prune that takes longer", () => {
  it("shows its progress: count, bytes, rate, time left, and how to stop", async () => {
    const { frame, next } = await startPrune();
    expect(frame()).not.toContain("0 of 0");
    await expect.poll(frame).toContain("Esc stops after the current request.");
    await next();
    expect(frame()).toContain("1 of 3 messages");
    expect(frame()).toContain("3 parts, 181 kB pruned · 181 kB/s · 2 sec left");
    expect(frame()).toContain("33%");
  });

  it("stops after the current request on Esc, and says honestly what was done", async () => {
    const { frame, type, next, pruning } = await startPrune();
    await expect.poll(frame).toContain("Esc stops");
    await next();
    await type("escape");
    expect(frame()).toContain("Stopping after the current request…");
    expect(pruning.options?.signal?.aborted).toBe(true);
    await next();
    expect(frame()).toContain("Pruned 3 parts in 1 message: 181 kB.");
    expect(frame()).toContain("Skipped 2 messages: it stopped before them.");
    expect(frame()).toContain("Selected: 4 parts in 2 messages");
  });

  it("previews again what was skipped, with r, and prunes it only after y", async () => {
    const { frame, type, next, pruning } = await startPrune();
    await expect.poll(frame).toContain("Esc stops");
    await next();
    await type("escape");
    await next();
    await type("r");
    expect(frame()).toContain("Deletes 4 parts");
    expect(pruning.pruned).toHaveLength(1);
    pruning.step = undefined;
    await type("y");
    expect(pruning.pruned).toHaveLength(2);
    expect(frame()).toContain("Pruned 4 parts in 2 messages");
  });

  it("asks before it quits, stays on another key, and stops first on a second q", async () => {
    const { frame, type, next, app } = await startPrune();
    await expect.poll(frame).toContain("Esc stops");
    await type("q");
    expect(frame()).toContain("q stops after the current request and quits; any other key stays.");
    await type("escape");
    expect(frame()).not.toContain("any other key stays");
    expect(frame()).not.toContain("Stopping");
    await type("q", "q");
    expect(frame()).toContain("Stopping after the current request, then quitting…");
    expect(app.store.getState().leaving).toBe("stopping");
    await next();
    expect(app.store.getState().leaving).toBe("left");
  });

  it("quits at once where nothing runs", async () => {
    const { type, app } = await openScreen({ prepare: exampleHistory });
    await type("ctrl-c");
    expect(app.store.getState().leaving).toBe("left");
  });

  it("says that what happened is unknown where the prune itself broke off", async () => {
    const screen = await openScreen({
      rows: 24,
      prepare(ports) {
        exampleHistory(ports);
        ports.pruning.step = () => Promise.reject(new Error("The connection was cut."));
      },
    });
    await screen.type("enter", "A", "p", "y");
    expect(screen.frame()).toContain("The prune broke off: The connection was cut.");
  });
});

describe("the result", () => {
  async function openResult(): Promise<OpenedScreen> {
    const screen = await openScreen({
      rows: 24,
      prepare(ports) {
        exampleHistory(ports);
        ports.pruning.refusals.set("msg_3", "ambiguous");
        ports.pruning.lateRefusals.set("msg_2", "conflict");
      },
    });
    await screen.type("enter", "A", "p", "y");
    return screen;
  }

  it("counts what was pruned and refused, each with its reason", async () => {
    const { frame, type } = await openResult();
    expect(frame()).toContain("Pruned 3 parts in 1 message: 181 kB.");
    expect(frame()).toContain("Refused 2 messages:");
    expect(frame()).toMatch(/▸ ! message 3, .*refused: 1 part ambiguous/);
    expect(frame()).toContain("it is not certain which one was meant");
    await type("j");
    expect(frame()).toContain("Preview it again.");
  });

  it("opens a refused message with the cursor on it", async () => {
    const { frame, type } = await openResult();
    await type("j", "enter");
    expect(frame()).toContain("Parts of Migrate");
    expect(frame()).toMatch(/▸ +message 2/);
  });

  it("retries only what may end differently", async () => {
    const { type, pruning } = await openResult();
    await type("r");
    expect(new Set(pruning.planned.at(-1)?.map((part) => part.messageID))).toEqual(new Set(["msg_2"]));
  });

  it("offers no retry where none makes sense", async () => {
    const screen = await openScreen({
      prepare(ports) {
        exampleHistory(ports);
        ports.pruning.refusals.set("msg_3", "ambiguous");
      },
    });
    await screen.type("enter", "A", "p", "y");
    expect(screen.frame()).not.toContain("r retry");
    await screen.type("r");
    expect(screen.pruning.planned).toHaveLength(1);
  });
});
