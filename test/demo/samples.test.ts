import { describe, expect, it } from "vitest";
import { outlineMessage } from "../../src/contract/index.ts";
import { PROJECTS, REVERTED, RUNNING, sampleSessions } from "../../src/demo/index.ts";

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const sessions = sampleSessions("/home/somebody", NOW);
const assistants = sessions.flatMap(({ messages }) => messages.filter(({ type }) => type === "assistant"));
const outlines = assistants.map((message) => outlineMessage(message as never));

describe("the sample sessions", () => {
  it("are the same on every machine", () => {
    expect(sampleSessions("/home/somebody", NOW)).toEqual(sessions);
    expect(sampleSessions("/home/somebody", NOW, "another seed")).not.toEqual(sessions);
  });

  it("are a dozen in three projects, from some KB to a few MB in total", () => {
    expect(sessions).toHaveLength(12);
    const folders = new Set(sessions.map(({ location }) => location.directory));
    expect([...folders].sort()).toEqual(PROJECTS.map((name) => `/home/somebody/${name}`).sort());
    const sizes = sessions.map((session) => JSON.stringify(session).length);
    expect(Math.min(...sizes)).toBeLessThan(5_000);
    expect(Math.max(...sizes)).toBeGreaterThan(500_000);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(1_000_000);
    expect(total).toBeLessThan(8_000_000);
  });

  it("name the running session and the one with a staged revert, each once", () => {
    const titles = sessions.map(({ info }) => info.title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toContain(RUNNING.title);
    expect(titles).toContain(REVERTED);
  });

  it("hold reasoning, several tools and tools that failed, in messages that may be pruned", () => {
    const parts = outlines.flatMap((outline) => outline.parts);
    expect(parts.some(({ type }) => type === "reasoning")).toBe(true);
    expect(parts.some(({ status }) => status === "error")).toBe(true);
    const tools = new Set(parts.flatMap(({ toolName }) => toolName ?? []));
    expect([...tools]).toEqual(
      expect.arrayContaining(["read", "grep", "glob", "shell", "edit", "write", "webfetch"]),
    );
    expect(outlines.filter(({ unprunable }) => unprunable !== undefined)).toEqual([]);
  });

  it("use every id once, and message ids that grow with time", () => {
    const ids = sessions.flatMap(({ info, messages }) => [info.id, ...messages.map(({ id }) => id)]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { messages } of sessions) {
      const own = messages.map(({ id }) => id.slice(0, 16));
      expect([...own].sort()).toEqual(own);
    }
  });

  it("are listed the oldest first and ended before now", () => {
    const ends = sessions.map(({ info }) => info.time.updated);
    expect([...ends].sort((a, b) => a - b)).toEqual(ends);
    expect(ends.at(-1)).toBeLessThan(NOW);
  });

  it("have no message that is later than its session's end", () => {
    for (const { info, messages } of sessions)
      for (const message of messages) {
        const { created, completed = created } = message.time as { created: number; completed?: number };
        expect(completed, info.title).toBeLessThanOrEqual(info.time.updated);
      }
  });
});
