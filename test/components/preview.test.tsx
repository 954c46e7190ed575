import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/words/index.ts";
import { exampleHistory } from "./example.ts";
import { message, outline, session, tool } from "./fake-ports.ts";
import { type OpenedScreen, openScreen, type ScreenOptions } from "./open-screen.tsx";

async function openPreview(
  prepare: NonNullable<ScreenOptions["prepare"]> = () => undefined,
): Promise<OpenedScreen> {
  const screen = await openScreen({
    rows: 24,
    prepare(ports) {
      exampleHistory(ports);
      prepare(ports);
    },
  });
  await screen.type("enter", "A", "p");
  return screen;
}

describe("the preview", () => {
  it("shows what goes and what stays, per message, and how much that is", async () => {
    const { frame } = await openPreview();
    expect(frame()).toMatch(/message 2, .*goes: 3 parts, 2\.9 MB +stays: 1 part, 100 B/);
    expect(frame()).toContain("Deletes 7 parts (3.2 MB) of 3 messages for good.");
  });

  it("folds and unfolds a message", async () => {
    const { frame, type } = await openPreview();
    expect(frame()).toContain("orders_v1");
    await type("space");
    expect(frame()).not.toContain("orders_v1");
    await type("enter");
    expect(frame()).toContain("orders_v1");
  });

  it("opens the content of a part, and comes back to where it was", async () => {
    const { frame, type } = await openPreview();
    await type("j", "j", "j", "enter");
    expect(frame()).toContain("export class Orders {");
    await type("escape");
    expect(frame()).toMatch(/▸ +read +src\/orders\/repository\.ts/);
  });

  it("says before asking what will be refused, and why", async () => {
    const { frame } = await openPreview(({ pruning }) =>
      pruning.refusals.set("msg_2", "maintenance_required"),
    );
    expect(frame()).toContain("1 message will not be asked for.");
    expect(frame()).toMatch(/▸ ! message 2, .*refused: 3 parts session or database in use/);
    expect(frame()).toContain("its database is busy. Let it finish");
    expect(frame()).toContain("Deletes 4 parts");
  });

  it.each([
    ["en", 80, 24],
    ["en", 60, 15],
    ["fr", 80, 24],
    ["fr", 60, 15],
    ["zh-CN", 80, 24],
    ["zh-CN", 60, 15],
  ] as const)(
    "says whole which folder OpenCode cannot work in: %s, %d × %d",
    async (language, columns, rows) => {
      const directory = "/home/somebody/projects/old lighthouse";
      const screen = await openScreen({
        ...{ language, columns, rows },
        prepare(ports) {
          exampleHistory(ports);
          ports.history.putSession(session("ses_migrate", { directory }));
          ports.pruning.refusals.set("msg_2", "folder_unusable");
        },
      });
      await screen.type("/", "migrate", "enter", "enter", "A", "p");
      const words = wordsFor(language, "UTC");
      const withoutSpace = (text: string) => text.replaceAll(/\s/g, "");
      expect(screen.frame()).toContain(words.reasonsShort.folder_unusable);
      expect(withoutSpace(screen.frame())).toContain(withoutSpace(words.folderUnusable(directory)));
      expect(screen.frame().split("\n")).toHaveLength(rows - 1);
    },
  );

  it("asks for nothing where nothing can be pruned", async () => {
    const { frame, type, pruning } = await openPreview(({ pruning: port }) => {
      for (const id of ["msg_1", "msg_2", "msg_3"]) port.refusals.set(id, "not_deletable");
    });
    expect(frame()).not.toContain("PRUNE");
    await type("y");
    expect(pruning.pruned).toEqual([]);
  });

  it("does not take y while it is still read", async () => {
    let go = (): void => undefined;
    const { frame, type, pruning, drawn } = await openPreview(({ pruning: port }) => {
      port.planning = new Promise((resolve) => {
        go = resolve;
      });
    });
    expect(frame()).toContain("Reading what is selected afresh…");
    await type("y");
    go();
    await drawn();
    expect(frame()).toContain("It is irreversible.");
    expect(pruning.pruned).toEqual([]);
  });

  it("shows how far it is when reading takes longer", async () => {
    const { frame, clock } = await openPreview(({ pruning }) => {
      pruning.planning = new Promise(() => undefined);
    });
    clock.now += 400;
    await expect.poll(frame).toContain("Reading afresh: 1 of 7 messages…");
  });

  it("is given up with Esc, whatever it finds later", async () => {
    let go = (): void => undefined;
    const { frame, type, drawn } = await openPreview(({ pruning }) => {
      pruning.planning = new Promise((resolve) => {
        go = resolve;
      });
    });
    await type("escape");
    go();
    await drawn();
    expect(frame()).toContain("Parts of Migrate");
    expect(frame()).not.toContain("irreversible");
  });

  it("says why it could not be made, and tries again with R", async () => {
    const { frame, type, pruning } = await openPreview((ports) => {
      ports.pruning.planFailure = new Error("The server does not answer.");
    });
    expect(frame()).toContain("The preview could not be made: The server does not answer. R tries again.");
    pruning.planFailure = undefined;
    await type("R");
    expect(frame()).toContain("It is irreversible.");
  });

  it("marks a message that changed meanwhile", async () => {
    const { frame, history, drawn } = await openPreview();
    history.notify({ at: 1, kind: "pruned", sessionID: "ses_migrate", messageID: "msg_2", byUs: false });
    await drawn();
    expect(frame()).toMatch(/message 2, .*changed since; will be refused/);
  });

  it("previews what is selected in several sessions from the list of sessions", async () => {
    const { frame, type, pruning } = await openPreview(({ history }) => {
      history.putOutline(outline("ses_build", [message("msg_b", [tool(0, { label: "vite build" })])]));
    });
    await type("escape", "escape", "j", "enter", "A", "escape", "p");
    expect(pruning.planned.at(-1)?.map((part) => part.sessionID)).toContain("ses_build");
    expect(frame()).toContain("Deletes 8 parts");
    expect(frame()).toContain("message 1, 2:10 PM, Migrate the orders table to the …");
    expect(frame()).toContain("Esc back");
  });
});

describe("a prune of more than 500 parts", () => {
  const many = Array.from({ length: 501 }, (_, index) => tool(index, { bytes: 10 }));

  async function openLarge(): Promise<OpenedScreen> {
    const screen = await openScreen({
      rows: 24,
      prepare({ history }) {
        history.putSession(session("ses_1"));
        history.putOutline(outline("ses_1", [message("msg_1", many)]));
      },
    });
    await screen.type("enter", "A", "p", "y");
    return screen;
  }

  it("asks for the number after y", async () => {
    const { frame, type, pruning } = await openLarge();
    expect(frame()).toContain("It is irreversible. y asks for the number 501 before it prunes.");
    expect(frame()).toContain("Type 501 to prune 501 parts for good: █");
    expect(pruning.pruned).toEqual([]);
    await type("501", "enter");
    expect(pruning.pruned).toHaveLength(1);
  });

  it("prunes nothing on another number, on y, on Enter, or on Esc", async () => {
    const { frame, type, pruning } = await openLarge();
    await type("enter");
    expect(frame()).toContain("This is not the number. Nothing was pruned.");
    await type("500", "enter", "ctrl-u", "y", "enter", "escape");
    expect(pruning.pruned).toEqual([]);
    expect(frame()).not.toContain("Type 501");
  });

  it("takes no pasted y, but a pasted number is a number", async () => {
    const { app, pruning, type, drawn } = await openLarge();
    await type("escape");
    app.paste("y");
    await drawn();
    expect(app.store.getState().prompt).toBeUndefined();
    await type("y");
    app.paste("501\n");
    await type("enter");
    expect(pruning.pruned).toHaveLength(1);
  });
});
