import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, SESSION } from "../support/fake-daemon.ts";
import { stored, TEXT, TOOL } from "../support/stored.ts";

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.insertSession();
  daemon.insertSession("ses_2");
  daemon.database.transaction(() => {
    for (let at = 0; at < 2_000; at += 1) daemon.insertMessage(stored([TEXT, TOOL]), `msg_${at}`);
    for (let at = 0; at < 600; at += 1) daemon.insertSession(`ses_many_${at}`);
  })();
  await daemon.load();
});
afterEach(() => daemon.remove());

/** Each scan that has cursors, the cursor of its first page, and how it refuses one. */
const scans = [
  {
    name: "outline",
    ask: (more: object) => daemon.read("outline", { sessionID: SESSION, ...more }),
    others: [
      (cursor: string) => daemon.read("outline", { sessionID: "ses_2", cursor }),
      (cursor: string) => daemon.read("usage", { cursor }),
    ],
    refusal: (reason: string) => ({ status: "refused", reason }),
  },
  {
    name: "usage",
    ask: (more: object) => daemon.read("usage", more),
    others: [
      (cursor: string) => daemon.read("usage", { sessionIDs: [SESSION], cursor }),
      (cursor: string) => daemon.read("outline", { sessionID: SESSION, cursor }),
    ],
    refusal: (reason: string) => ({ status: "refused", reason }),
  },
  {
    name: "history",
    ask: (more: object) => daemon.call("history", { sessionID: SESSION, query: "kept", ...more }),
    others: [
      (cursor: string) => daemon.call("history", { sessionID: "ses_2", query: "kept", cursor }),
      (cursor: string) => daemon.call("history", { sessionID: SESSION, query: "other", cursor }),
      (cursor: string) =>
        daemon.call("history", { sessionID: SESSION, query: "kept", includeTechnical: false, cursor }),
      (cursor: string) =>
        daemon.call("history", { sessionID: SESSION, query: "kept", purpose: "stats", cursor }),
      (cursor: string) => daemon.call("history", { query: "kept", cursor }),
    ],
    // The published contract has no word for it but this one.
    refusal: () => ({ status: "blocked", reason: "conflict" }),
  },
];

describe.each(scans)("a cursor of $name", ({ ask, others, refusal }) => {
  it("goes on where the page ended, as often as it is sent", async () => {
    const { cursor } = await ask({});
    const next = await ask({ cursor });
    expect(next.status).toBe("page");
    expect(await ask({ cursor })).toMatchObject({ status: "page" });
  });

  it("is refused for another request", async () => {
    const { cursor } = await ask({});
    for (const other of others) {
      const reason = await other(cursor);
      expect(["cursor_foreign", "conflict"]).toContain(reason.reason);
    }
  });

  it("is refused when a character of it was changed, and when it is anybody's invention", async () => {
    const { cursor } = await ask({});
    const [body = "", mark = ""] = cursor.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
    const moved = Buffer.from(JSON.stringify({ ...claims, position: { seq: -1, part: 0, last: 1e9 } }));
    const inventions = [
      `${moved.toString("base64url")}.${mark}`,
      `${body}.${mark.slice(0, -1)}${mark.endsWith("A") ? "B" : "A"}`,
      `${body}.`,
      `${cursor}.x`,
      "x",
      Buffer.from("null").toString("base64url"),
      Buffer.from("{}").toString("base64url"),
    ];
    for (const invention of inventions) {
      expect(await ask({ cursor: invention }), invention).toEqual(refusal("cursor_forged"));
    }
  });

  it("is refused as stale after the plugin was started anew", async () => {
    const { cursor } = await ask({});
    await daemon.load();
    expect(await ask({ cursor })).toEqual(refusal("cursor_stale"));
  });

  it("is refused as stale after another file took the database's place", async () => {
    const { cursor } = await ask({});
    daemon.replaceFile();
    expect(await ask({ cursor })).toEqual(refusal("cursor_stale"));
  });
});
