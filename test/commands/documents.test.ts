import { resolve } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { DOCUMENTS } from "../../src/commands/documents/index.ts";
import { jsonLine, printDocument } from "../../src/commands/print-document.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../docs/schemas");

describe("the documented shapes", () => {
  it.each(Object.entries(DOCUMENTS))("are published: %s", async (name, schema) => {
    const published = { title: `opencode-prune ${name}`, ...z.toJSONSchema(schema) };
    await expect(`${JSON.stringify(published, null, 2)}\n`).toMatchFileSnapshot(`${SCHEMAS}/${name}.json`);
  });
});

describe("a printed document", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is one line that names its version and kind", () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    printDocument("event", { event: "connected", at: 1, sessions: 2 });
    expect(write.mock.calls).toEqual([
      ['{"version":1,"kind":"event","event":"connected","at":1,"sessions":2}\n'],
    ]);
  });

  it("holds nothing that a terminal obeys, and still says the same", () => {
    const value = { text: "\u001b]0;x\u0007 \u009b2J \u202e\u200b\u{e0001} \u2028 é 漢 😀 \ud800" };
    const line = jsonLine(value);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(line).toContain("é 漢 😀");
    expect(JSON.parse(line)).toEqual(value);
  });
});
