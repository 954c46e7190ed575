import { describe, expect, it } from "vitest";
import { partRowKey, partRows } from "../../src/state/part-rows.ts";
import { selectRows } from "../../src/state/select-rows.ts";
import { sessionRows, technicalShare } from "../../src/state/session-rows.ts";
import { message, NOW, reasoning, session, tool } from "../components/fake-ports.ts";

describe("session rows", () => {
  const heavy = session("ses_1", {
    title: "Beta",
    directory: "/work/api",
    updated: NOW - 3,
    messages: 2,
    storedBytes: 1_000,
    technical: { parts: 1, bytes: 900 },
  });
  const broad = session("ses_2", {
    title: "Alpha",
    directory: "/work/site",
    updated: NOW - 2,
    messages: 9,
    storedBytes: 2_000,
    technical: { parts: 8, bytes: 500 },
  });
  const unknown = session("ses_3", { title: "Gamma", directory: "/home", updated: NOW - 1 });
  const all = [unknown, broad, heavy];
  const order = (sort: Parameters<typeof sessionRows>[1]) =>
    sessionRows(all, sort, "")
      .map((row) => row.sessionID.slice(-1))
      .join("");

  it("come in the order of the sort, unknown sizes last", () => {
    expect(order("technical")).toBe("123");
    expect(order("share")).toBe("123");
    expect(order("parts")).toBe("213");
    expect(order("messages")).toBe("213");
    expect(order("updated")).toBe("321");
    expect(order("title")).toBe("213");
    expect(order("location")).toBe("312");
  });

  it("are filtered by all words, in any case, in title, place, id and state", () => {
    const found = (filter: string) => sessionRows(all, "technical", filter).map((row) => row.title);
    expect(found("WORK")).toEqual(["Beta", "Alpha"]);
    expect(found("work alpha")).toEqual(["Alpha"]);
    expect(found("ses_3")).toEqual(["Gamma"]);
    expect(found("idle home")).toEqual(["Gamma"]);
    expect(found("nothing")).toEqual([]);
  });

  it("know the technical share where both sizes are known", () => {
    expect(technicalShare(heavy)).toBe(0.9);
    expect(technicalShare(unknown)).toBeUndefined();
    expect(technicalShare(session("s", { storedBytes: 0, technical: { parts: 0, bytes: 0 } }))).toBe(0);
  });
});

describe("part rows", () => {
  const messages = [
    message("m1", [reasoning(0, { bytes: 5 }), tool(1, { bytes: 10, label: "README.md", toolName: "read" })]),
    message("m2", []),
    message("m3", [tool(0, { bytes: 90 }), tool(1, { bytes: 300, status: "error" })]),
  ];
  const keys = (wanted: Partial<Parameters<typeof partRows>[1]>) =>
    partRows(messages, { shown: "technical", sort: "oldest", filter: "", ...wanted }).map(partRowKey);

  it("are grouped by message, without messages that have nothing to show", () => {
    const created = messages[0]?.parts[0]?.created;
    expect(keys({})).toEqual([
      "m1",
      `m1 r:${created}:5 0`,
      "m1 t:call_1 0",
      "m3",
      "m3 t:call_0 0",
      "m3 t:call_1 0",
    ]);
  });

  it("turn the messages around, or put the largest first, inside of them too", () => {
    expect(keys({ sort: "newest" })).toEqual([
      "m3",
      "m3 t:call_0 0",
      "m3 t:call_1 0",
      "m1",
      ...keys({}).slice(1, 3),
    ]);
    expect(keys({ sort: "largest" }).slice(0, 4)).toEqual(["m3", "m3 t:call_1 0", "m3 t:call_0 0", "m1"]);
  });

  it("show one kind, or what the filter finds", () => {
    expect(keys({ shown: "reasoning" })).toHaveLength(2);
    expect(keys({ shown: "tool" })).toHaveLength(5);
    expect(keys({ filter: "readme" })).toEqual(["m1", "m1 t:call_1 0"]);
    expect(keys({ filter: "bash error" })).toEqual(["m3", "m3 t:call_1 0"]);
  });

  it("tell two parts apart that look the same", () => {
    const twins = [message("m", [reasoning(0, { created: 1 }), reasoning(1, { created: 1 })])];
    const rows = partRows(twins, { shown: "technical", sort: "oldest", filter: "" });
    expect(new Set(rows.map(partRowKey)).size).toBe(3);
  });

  it("stay the same objects for a message that did not change", () => {
    const wanted = { shown: "technical", sort: "oldest", filter: "" } as const;
    const before = partRows(messages, wanted);
    const after = partRows([...messages, message("m4", [tool(0)])], wanted);
    expect(after.slice(0, before.length).every((row, index) => row === before[index])).toBe(true);
  });
});

describe("the selection menu", () => {
  it("counts what can be selected, by kind and by tool, heaviest tool first", () => {
    const rows = partRows(
      [
        message("m1", [
          reasoning(0),
          tool(1, { toolName: "read", bytes: 10 }),
          tool(2, { toolName: "bash", bytes: 70 }),
        ]),
        message("m2", [tool(0, { toolName: "bash", bytes: 500 })], { unprunable: "incomplete" }),
      ],
      { shown: "technical", sort: "oldest", filter: "" },
    );
    expect(selectRows(rows)).toMatchObject([
      { kind: "tools", parts: 2, bytes: 80 },
      { kind: "reasoning", parts: 1, bytes: 500 },
      { kind: "size" },
      { kind: "age" },
      { kind: "invert" },
      { kind: "none" },
      { kind: "tool", toolName: "bash", parts: 1, bytes: 70 },
      { kind: "tool", toolName: "read", parts: 1, bytes: 10 },
    ]);
  });
});
