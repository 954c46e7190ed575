import { describe, expect, it } from "vitest";
import type { ReadsThrough } from "../../src/state/index.ts";
import { LANGUAGES, type Language } from "../../src/words/index.ts";
import { exampleHistory } from "./example.ts";
import { openScreen } from "./open-screen.tsx";

/** The status line of an app whose history is read that way and kept in a cache. */
async function statusLine(
  reads: ReadsThrough,
  options: { columns: number; language?: Language; refreshing?: boolean },
): Promise<string> {
  const { frame } = await openScreen({
    ...options,
    prepare({ history }) {
      exampleHistory({ history });
      const sessions = [...history.snapshot().sessions.values()].map((session) => ({
        ...session,
        confirmed: true,
        refreshing: options.refreshing === true,
      }));
      history.putSession(...sessions);
      history.edit({ reads, cache: { state: "kept" } });
    },
  });
  return frame().split("\n").at(-2) ?? "";
}

describe("the status line", () => {
  it("says whether the plugin or OpenCode's own API answers the reads", async () => {
    expect(await statusLine("plugin", { columns: 100 })).toBe(
      "http://127.0.0.1:4096 │ live │ plugin: ready │ reads: plugin │ cache: kept",
    );
    expect(await statusLine("native", { columns: 100 })).toContain("│ reads: API │");
  });

  it("keeps what is not as usual where not everything fits", async () => {
    expect(await statusLine("plugin", { columns: 72 })).toBe(
      "127.0.0.1:4096 │ live │ plugin: ready │ reads: plugin │ cache: kept",
    );
    expect(await statusLine("plugin", { columns: 60 })).toBe(
      "127.0.0.1:4096 │ live │ plugin: ready │ reads: plugin",
    );
    expect(await statusLine("native", { columns: 60, refreshing: true })).toMatch(
      /^127\.0\.0\.1:4096 │ live │ plugin: ready │ reads: API │ read/,
    );
  });

  it.each(LANGUAGES)("says it in %s in 60 columns", async (language) => {
    const line = await statusLine("native", { columns: 60, language });
    expect(line).toMatch(/API$/);
    expect(line).not.toContain("…");
  });
});
