import { describe, expect, it } from "vitest";
import { DetailDocument, DOCUMENT_START } from "../../src/state/detail-document.ts";

function documentOf(output: string): DetailDocument {
  return new DetailDocument({ type: "tool", state: { content: [{ type: "text", text: output }] } });
}

function textsOf(document: DetailDocument, width = 40, height = 100): string[] {
  return document
    .rows(DOCUMENT_START, width, height)
    .map((row) => (row.heading ? `# ${row.section.kind}` : row.text));
}

describe("a part's content", () => {
  it("has input, output, error and metadata apart, and names images by type and size", () => {
    const document = new DetailDocument({
      type: "tool",
      state: {
        status: "error",
        input: { command: "ls" },
        error: { message: "exit 2" },
        content: [
          { type: "text", text: "a\r\nb" },
          { type: "file", mime: "image/png", filename: "a.png", data: "AAAA" },
          { odd: true },
        ],
        metadata: { exit: 2 },
      },
    });
    expect(textsOf(document)).toEqual([
      "# input",
      "{",
      '  "command": "ls"',
      "}",
      "# error",
      "exit 2",
      "# output",
      "a",
      "b",
      "# attachment",
      "# output",
      "{",
      '  "odd": true',
      "}",
      "# metadata",
      "{",
      '  "exit": 2',
      "}",
    ]);
    expect(document.sections).toContainEqual({
      kind: "attachment",
      type: "file",
      mime: "image/png",
      name: "a.png",
      bytes: 67,
    });
  });

  it("shows a part of unknown shape whole rather than nothing", () => {
    expect(textsOf(new DetailDocument({ type: "tool", id: "x" })).join("\n")).toContain('"id": "x"');
  });

  it("shows reasoning as text", () => {
    expect(textsOf(new DetailDocument({ type: "reasoning", text: "one\ntwo" }))).toEqual([
      "# reasoning",
      "one",
      "two",
    ]);
  });

  it("wraps to the width and scrolls by rows", () => {
    const document = documentOf("aaaa bbbb cccc dddd");
    expect(textsOf(document, 10)).toEqual(["# output", "aaaa bbbb ", "cccc dddd"]);
    const second = document.move(DOCUMENT_START, 2, 10, 1);
    expect(document.rows(second, 10, 1).map((row) => row.text)).toEqual(["cccc dddd"]);
    expect(document.move(second, -1, 10, 1)).toEqual({ line: 1, row: 0 });
  });

  it("stops where the last screen is full, and at the start", () => {
    const document = documentOf(Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n"));
    const last = document.move(DOCUMENT_START, 1_000, 40, 10);
    expect(document.rows(last, 40, 10).map((row) => row.text)).toHaveLength(10);
    expect(document.rows(last, 40, 10).at(-1)?.text).toBe("line 49");
    expect(document.progress(last, 40, 10)).toBe(1);
    expect(document.move(last, -1_000, 40, 10)).toEqual(DOCUMENT_START);
  });

  it("keeps its place when the width changes", () => {
    const document = documentOf("x".repeat(300));
    const deep = document.move(DOCUMENT_START, 20, 10, 1);
    expect(deep.row).toBeGreaterThan(5);
    expect(document.move(deep, 0, 100, 1)).toEqual({ line: 1, row: 2 });
  });

  it("splits a line of 10 MB without losing a character or breaking one in two", () => {
    const huge = "🚀ab".repeat(2_500_000);
    const document = documentOf(huge);
    expect(document.length).toBeGreaterThan(2_000);
    let length = 0;
    for (let line = 1; line < document.length; line += 1) {
      const text = document.raw(line);
      length += text.length;
      expect(text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
    expect(length).toBe(huge.length);
    expect(document.rows(document.last(80, 20), 80, 20)).toHaveLength(20);
  });

  it("holds 100,000 lines", () => {
    const document = documentOf("line\n".repeat(100_000));
    expect(document.length).toBe(100_002);
    expect(document.rows(document.last(80, 20), 80, 20)).toHaveLength(20);
  });

  it("finds text in any case, onwards, backwards and around the end", () => {
    const document = documentOf("alpha\nbeta\nALPHA beta\ngamma");
    expect(document.find("Alpha", 0, 1)).toBe(1);
    expect(document.find("alpha", 1, 1)).toBe(3);
    expect(document.find("alpha", 3, 1)).toBe(1);
    expect(document.find("alpha", 1, -1)).toBe(3);
    expect(document.find("delta", 0, 1)).toBeUndefined();
    expect(document.find("", 0, 1)).toBeUndefined();
  });

  it("finds text that lies across the place where a long line was split", () => {
    const document = documentOf(`${"x".repeat(4_090)}needle in hay${"x".repeat(4_000)}`);
    expect(document.find("needle in hay", 0, 1)).toBe(1);
  });
});
