import { describe, expect, it } from "vitest";
import { exampleHistory } from "./example.ts";
import { message, outline, session, tool } from "./fake-ports.ts";
import { type OpenedScreen, openScreen } from "./open-screen.tsx";

/** A screen on a tool whose output is the given text. */
async function openContent(output: string, rows = 20, columns = 80): Promise<OpenedScreen> {
  const screen = await openScreen({
    rows,
    columns,
    prepare({ history }) {
      history.putSession(session("ses_1"));
      history.putOutline(outline("ses_1", [message("msg_1", [tool(0)])]));
      history.contents.set("msg_1", [
        {
          type: "tool",
          id: "call_0",
          name: "bash",
          state: { status: "completed", content: [{ type: "text", text: output }] },
        },
      ]);
    },
  });
  await screen.type("enter", "j", "enter");
  return screen;
}

function body({ frame }: OpenedScreen): string[] {
  return frame()
    .split("\n")
    .slice(2, -3)
    .map((line) => line.slice(2));
}

describe("a part's content", () => {
  it("has a tool's input and output apart, and names images with type and size", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, rows: 24 });
    await type("enter", "j", "j", "j", "enter");
    expect(frame()).toMatch(/^read 131 kB Migrate the orders table/);
    expect(frame()).toMatch(/Input\n +\{\n +"filePath": "src\/orders\/repository\.ts"/);
    expect(frame()).toMatch(/Output\n +export class Orders/);
    expect(frame()).toContain("image, er-diagram.png, image/png, 85 B");
  });

  it("opens the first part of a message from its row", async () => {
    const { frame, type } = await openScreen({ prepare: exampleHistory, rows: 24 });
    await type("enter", "enter");
    expect(frame()).toContain("Reasoning");
  });

  it("scrolls by rows and pages, to the end and back", async () => {
    const screen = await openContent(Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"));
    expect(body(screen)[0]).toBe("Output");
    await screen.type("j", "j");
    expect(body(screen)[0]).toBe("line 1");
    await screen.type("pagedown");
    expect(body(screen)[0]).toBe("line 14");
    await screen.type("G");
    expect(body(screen).at(-1)).toBe("line 99");
    expect(screen.frame()).toContain("100%");
    await screen.type("pageup", "g");
    expect(body(screen)[0]).toBe("Output");
  });

  it("wraps long lines and wide characters within the screen", async () => {
    const screen = await openContent("漢字".repeat(60), 20, 60);
    for (const row of body(screen).slice(1, 5)) expect([...row].length).toBeLessThanOrEqual(29);
    expect(body(screen).slice(1, 6).join("")).toBe("漢字".repeat(60));
  });

  it("finds text, goes on with n and N, and marks the lines", async () => {
    const screen = await openContent(
      Array.from({ length: 100 }, (_, line) => (line % 40 === 10 ? `Needle ${line}` : `line ${line}`)).join(
        "\n",
      ),
    );
    await screen.type("/", "needle", "enter");
    expect(screen.frame()).toContain("> Needle 10");
    await screen.type("n");
    expect(screen.frame()).toContain("> Needle 50");
    await screen.type("n", "n");
    expect(screen.frame()).toContain("> Needle 10");
    await screen.type("N");
    expect(screen.frame()).toContain("> Needle 90");
    await screen.type("/", "ctrl-u", "nowhere", "enter");
    expect(screen.frame()).toContain("Not found.");
    await screen.type("/", "ctrl-u", "enter");
    expect(screen.frame()).not.toContain("search “");
  });

  it("is read again when the message changed, and says when the part is gone", async () => {
    const screen = await openContent("some output");
    screen.history.contents.set("msg_1", []);
    screen.history.putOutline(outline("ses_1", [message("msg_1", [])]));
    await screen.drawn();
    expect(screen.frame()).toContain("This part is no longer stored.");
    expect(screen.frame()).toContain("some output");
    expect(screen.history.reads).toBe(2);
  });

  it("is not read again for what happened elsewhere", async () => {
    const screen = await openContent("some output");
    screen.history.putOutline(outline("ses_2", [message("msg_9", [tool(0)])]));
    await screen.drawn();
    expect(screen.history.reads).toBe(1);
  });

  it("says why it could not be read", async () => {
    const screen = await openScreen({
      prepare(ports) {
        exampleHistory(ports);
        ports.history.failure = new Error("The server does not answer.");
      },
    });
    await screen.type("enter", "enter");
    expect(screen.frame()).toContain("The content could not be read: The server does not answer.");
  });

  it("shows 10 MB on one line, and 100,000 lines, a screen at a time", async () => {
    const line = await openContent("x".repeat(10_000_000));
    await line.type("G");
    expect(body(line).at(-1)).toMatch(/^x+$/);
    const lines = await openContent("row\n".repeat(100_000));
    await lines.type("G", "k");
    expect(body(lines).at(-1)).toBe("row");
  });
});
