import { describe, expect, it } from "vitest";
import type { CleanupPlan, CleanupPort } from "../../src/state/index.ts";
import { LANGUAGES } from "../../src/words/index.ts";
import { exampleHistory } from "./example.ts";
import { NOW } from "./fake-ports.ts";
import { openScreen, type ScreenOptions } from "./open-screen.tsx";

/** The screens as a person reads them. `npx vitest -u` writes them anew; read what changed before it is committed. */
async function expectGolden(name: string, options: ScreenOptions, ...keys: string[]): Promise<void> {
  const screen = await openScreen({ prepare: exampleHistory, rows: 24, columns: 80, ...options });
  await screen.type(...keys);
  await expect(`${screen.frame()}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
}

const cleanup: CleanupPort = {
  async plan(): Promise<CleanupPlan> {
    return {
      sessions: [
        {
          sessionID: "ses_migrate",
          eligible: { messages: 46, parts: 130, bytes: 4_108_000 },
          skipped: [{ reason: "unsettled_tool", messages: 1, parts: 1, bytes: 12_000 }],
        },
        {
          sessionID: "ses_build",
          eligible: { messages: 0, parts: 0, bytes: 0 },
          skipped: [],
          refused: "maintenance_required",
        },
        { sessionID: "ses_names", eligible: { messages: 0, parts: 0, bytes: 0 }, skipped: [] },
      ],
      requests: 3,
      messages: 46,
      parts: 130,
      bytes: 4_108_000,
    };
  },
  run: () => Promise.reject(new Error("not here")),
};

describe("golden screens", () => {
  it.each([
    [60, 15],
    [80, 24],
    [200, 50],
  ])("sessions at %i × %i", (columns, rows) =>
    expectGolden(`sessions-${columns}x${rows}`, { columns, rows }),
  );

  it.each([
    [60, 15],
    [80, 24],
    [200, 50],
  ])("parts at %i × %i", (columns, rows) =>
    expectGolden(`parts-${columns}x${rows}`, { columns, rows }, "enter", "j", "space", "j", "j", "space"),
  );

  it.each([
    [60, 15],
    [80, 24],
  ])("preview at %i × %i", (columns, rows) =>
    expectGolden(`preview-${columns}x${rows}`, { columns, rows }, "enter", "A", "p"),
  );

  it.each(LANGUAGES)("sessions, parts, preview and help in %s", async (language) => {
    await expectGolden(`sessions-${language}`, { language }, "s");
    await expectGolden(`parts-${language}`, { language }, "enter", "j", "space", "G", "space");
    await expectGolden(`preview-${language}`, { language }, "enter", "A", "p");
    await expectGolden(`help-${language}`, { language, rows: 40 }, "?");
  });

  it("a part's content", () => expectGolden("detail", {}, "enter", "j", "j", "j", "enter"));

  it("the ways of selecting", () => expectGolden("select", {}, "enter", "+"));

  it("a filter while it is typed", () => expectGolden("filter", {}, "/", "work s"));

  it("a plan for whole sessions", () => expectGolden("cleanup", { cleanup, columns: 100 }, "C"));

  it("a number to be typed", () => expectGolden("confirm", { cleanup, columns: 100 }, "C", "y", "13"));

  it("a result with a refusal", () =>
    expectGolden(
      "summary",
      {
        prepare(ports) {
          exampleHistory(ports);
          ports.pruning.lateRefusals.set("msg_2", "conflict");
          ports.pruning.refusals.set("msg_3", "ambiguous");
        },
      },
      "enter",
      "A",
      "p",
      "y",
    ));

  it("events", async () => {
    const screen = await openScreen({ prepare: exampleHistory, rows: 24, columns: 80 });
    screen.history.notify({ at: NOW - 60_000, kind: "lost", problem: "the server closed the stream" });
    screen.history.notify({ at: NOW - 58_000, kind: "connected" });
    screen.history.notify({ at: NOW - 57_000, kind: "reconciled", sessions: 7, reread: 2 });
    screen.history.notify({
      at: NOW - 1_000,
      kind: "pruned",
      sessionID: "ses_build",
      messageID: "msg_9",
      byUs: false,
    });
    await screen.type("e");
    await expect(`${screen.frame()}\n`).toMatchFileSnapshot("golden/events.txt");
  });

  it("a missing plugin and a lost connection", () =>
    expectGolden("missing-plugin", {
      columns: 120,
      prepare(ports) {
        exampleHistory(ports);
        ports.plugin.state = { state: "missing" };
        ports.history.edit({
          connection: {
            phase: "reconnecting",
            attempt: 3,
            retryAt: NOW + 4_000,
            problem: "connection refused",
          },
        });
      },
    }));
});
