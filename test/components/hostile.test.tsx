import { describe, expect, it } from "vitest";
import { HOSTILE } from "../text/hostile.ts";
import { message, NOW, outline, session, tool } from "./fake-ports.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

/** What may never be in a frame: controls other than its line feeds, formats, private use, lone halves, the invisible. */
const FORBIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}]/u;

/** Hostile text in every place where the daemon, or somebody who writes to it, can put text. */
async function openHostile(text: string): Promise<OpenedScreen> {
  const screen = await openScreen({
    columns: 120,
    rows: 24,
    prepare({ history, pruning, plugin }) {
      history.edit({
        server: `http://127.0.0.1/${text}`,
        connection: { phase: "lost", attempt: 1, problem: text },
        cache: { state: "off", problem: text },
      });
      history.putSession(
        session("ses_1", { title: text, directory: text, technical: { parts: 2, bytes: 2_000 } }),
        session(`ses_${text}`, { title: "", directory: `/${text}` }),
      );
      history.putOutline(
        outline("ses_1", [
          message("msg_1", [
            tool(0, { toolName: text, label: text, status: text }),
            tool(1, { toolID: text, toolName: `x${text}`, label: `${text}${text}` }),
          ]),
          message(`msg_${text}`, [tool(0, { label: text })]),
        ]),
      );
      history.contents.set("msg_1", [
        {
          type: "tool",
          id: "call_0",
          name: text,
          state: {
            status: "error",
            input: { [`key ${text}`]: text },
            error: { message: text },
            content: [
              { type: "text", text: `${text}\n${text}\t${text}` },
              { type: text, mime: text, filename: text },
            ],
          },
        },
      ]);
      pruning.refusals.set(`msg_${text}`, "conflict");
      plugin.state = { state: "failed", problem: text };
    },
  });
  screen.history.notify({ at: NOW, kind: "lost", problem: text });
  screen.history.notify({ at: NOW, kind: "pruned", sessionID: "ses_1", messageID: text, byUs: false });
  return screen;
}

describe("hostile text on the screen", () => {
  it.each(Object.entries(HOSTILE))("%s reaches no screen as anything but text", async (_, text) => {
    const screen = await openHostile(text);
    const steps = [
      [],
      ["enter"],
      ["j", "enter"],
      ["G"],
      ["escape", "A", "p"],
      ["j", "j", "enter"],
      ["escape", "y"],
      ["e"],
      ["escape", "escape", "i"],
      ["/"],
    ];
    for (const keys of steps) {
      await screen.type(...keys);
      expect(screen.frame()).not.toMatch(FORBIDDEN);
      expect(screen.frame().split("\n")).toHaveLength(23);
    }
    screen.app.paste(text);
    await screen.drawn();
    expect(screen.frame()).not.toMatch(FORBIDDEN);
  });

  it("is kept apart from what fails: errors are sanitised too", async () => {
    const text = Object.values(HOSTILE).join("");
    const screen = await openScreen({
      prepare({ history, pruning }) {
        history.putSession(session("ses_1"));
        history.putOutline(outline("ses_1", [message("msg_1", [tool(0)])], { problem: text }));
        history.failure = new Error(text);
        pruning.planFailure = new Error(text);
      },
    });
    for (const keys of [["enter"], ["enter"], ["escape", "A", "p"]]) {
      await screen.type(...keys);
      expect(screen.frame()).not.toMatch(FORBIDDEN);
    }
  });
});
