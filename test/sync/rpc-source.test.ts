import { beforeEach, describe, expect, it } from "vitest";
import { type MessageTuple, PRUNING_RPC, READING_RPC } from "../../src/contract/index.ts";
import { type OpenCodeClient, RpcRefusedError, ServerError } from "../../src/opencode/index.ts";
import { createRpcSource, type HistorySource, type RpcSource } from "../../src/sync/index.ts";

type Method = (input: Record<string, unknown>, directory: string) => unknown;

const signal = new AbortController().signal;
const tuple = (id: string, bytes = 10): MessageTuple => [id, 1, 2, bytes, null, 0, 0, [[0, 5, 1]]];
const page = (messages: MessageTuple[], cursor: string | null = null) => ({
  status: "page",
  blocked: null,
  messages,
  cursor,
});
const usage = (messages: number, storedBytes: number) => () => ({
  status: "page",
  sessions: [{ sessionID: "ses_1", messages, storedBytes, newestSequence: 3 }],
  refused: [],
  cursor: null,
});

let methods: Record<string, Method>;
let calls: { method: string; directory: string }[];
let now: number;
let source: RpcSource;

const client = {
  session: { get: async () => ({ location: { directory: "/moved" } }) },
  rpc: {
    call: async ({ rpcID, method, input, location }: Parameters<OpenCodeClient["rpc"]["call"]>[0]) => {
      const directory = location?.directory ?? "";
      calls.push({ method, directory });
      if (rpcID !== READING_RPC) throw new RpcRefusedError("rpc.unavailable", `no ${PRUNING_RPC}`);
      const serving = methods[method];
      if (!serving) throw new RpcRefusedError("rpc.method_not_found", method);
      return { output: serving(input as Record<string, unknown>, directory) };
    },
  },
} as unknown as OpenCodeClient;

const listing = (sessionID: string, directory = "/project") => ({
  sessionID,
  title: "",
  directory,
  projectID: "p",
  created: 1,
  updated: 1,
  activity: "idle" as const,
});

const native: HistorySource = {
  server: "http://server",
  fingerprintKind: "weak",
  async *sessions() {
    yield [listing("ses_1"), listing("ses_2", "/elsewhere")];
  },
  session: async (sessionID) => listing(sessionID),
  outline: async () => ({ messages: [], others: { messages: 7, bytes: 70 }, fingerprint: "native" }),
  message: async () => undefined,
  fingerprints: async () => new Map([["ses_1", "native"]]),
  usage: async () => undefined,
};

beforeEach(async () => {
  calls = [];
  now = 0;
  methods = {
    outline: () => page([tuple("msg_1"), tuple("msg_2")]),
    fingerprint: () => ({
      status: "fingerprints",
      fingerprints: [{ sessionID: "ses_1", fingerprint: "a".repeat(32) }],
      refused: [],
      unread: [],
    }),
    usage: usage(5, 50),
  };
  source = createRpcSource(client, native, () => now);
  for await (const _ of source.sessions(signal));
});

describe("a source over the reading RPC", () => {
  it("joins the pages of an outline, with the fingerprint from before and what is not an assistant's", async () => {
    methods.outline = ({ cursor }) => (cursor ? page([tuple("msg_2")]) : page([tuple("msg_1")], "next"));
    const outline = await source.outline("ses_1", signal);
    expect(outline?.messages.map((message) => message.messageID)).toEqual(["msg_1", "msg_2"]);
    expect(outline?.others).toEqual({ messages: 3, bytes: 30 });
    expect(outline?.fingerprint).toBe(`rows:${"a".repeat(32)}`);
    expect(calls[0]?.method).toBe("fingerprint");
    expect(new Set(calls.map((call) => call.directory))).toEqual(new Set(["/project"]));
    expect(source.readsThrough.outline).toBe("plugin");
    expect(source.answeredBy).toBe("plugin");
  });

  it("begins again when the cursor went stale, and where the session moved to", async () => {
    const asked: unknown[] = [];
    methods.outline = ({ cursor }, directory) => {
      asked.push([directory, cursor]);
      if (cursor) return { status: "refused", reason: "cursor_stale" };
      return page([tuple("msg_1")], directory === "/project" ? "next" : null);
    };
    expect((await source.outline("ses_1", signal))?.messages).toHaveLength(1);
    expect(asked).toEqual([
      ["/project", undefined],
      ["/project", "next"],
      ["/moved", undefined],
    ]);
  });

  it.each(["unavailable", "maintenance_required", "unsupported_storage"])(
    "reads natively what is refused as %s",
    async (reason) => {
      methods.outline = () => ({ status: "refused", reason });
      methods.usage = () => ({ status: "refused", reason });
      expect((await source.outline("ses_1", signal))?.others.messages).toBe(7);
      expect(source.readsThrough.outline).toBe("native");
      expect(await source.usage(signal)).toBeUndefined();
    },
  );

  it("falls back method by method, and keeps the exact fingerprint of a native outline", async () => {
    delete methods.outline;
    const outline = await source.outline("ses_1", signal);
    expect(outline).toEqual({
      messages: [],
      others: { messages: 7, bytes: 70 },
      fingerprint: `rows:${"a".repeat(32)}`,
    });
    delete methods.usage;
    await source.usage(signal);
    await source.fingerprints([listing("ses_1")], signal);
    expect(source.readsThrough).toEqual({ outline: "native", usage: "native", fingerprint: "plugin" });
    expect(source.answeredBy).toBe("native");
    expect(source.fingerprintKind).toBe("exact");
  });

  it("reads everything natively beside the published plugin, which serves no reading RPC", async () => {
    methods = {};
    expect(await source.fingerprints([listing("ses_1")], signal)).toEqual(new Map([["ses_1", "native"]]));
    expect((await source.outline("ses_1", signal))?.fingerprint).toBe("native");
    expect(source.fingerprintKind).toBe("weak");
  });

  it("does not ask for an absent method over and over, and finds it when it has come", async () => {
    const served = methods.outline;
    delete methods.outline;
    const asked = () => calls.filter((call) => call.method === "outline").length;
    await source.outline("ses_1", signal);
    await source.outline("ses_1", signal);
    expect(asked()).toBe(1);
    if (served) methods.outline = served;
    now = 10_000;
    expect((await source.outline("ses_1", signal))?.messages).toHaveLength(2);
  });

  it("does not believe an answer of another shape", async () => {
    methods.outline = () => ({ status: "page", messages: [["msg_1"]], cursor: null, blocked: null });
    expect((await source.outline("ses_1", signal))?.others.messages).toBe(7);
  });

  it("asks the next location when a folder is gone", async () => {
    methods.usage = (_, directory) => {
      if (directory === "/project") throw new ServerError(500, "", "no such folder");
      return usage(5, 50)();
    };
    expect((await source.usage(signal))?.get("ses_1")).toEqual({ messages: 5, storedBytes: 50 });
  });

  it("asks again for the fingerprints that one answer did not reach", async () => {
    methods.fingerprint = ({ sessionIDs }) => {
      const [first, ...unread] = sessionIDs as string[];
      const fingerprint = "b".repeat(32);
      return {
        status: "fingerprints",
        fingerprints: [{ sessionID: first, fingerprint }],
        refused: [],
        unread,
      };
    };
    const all = Array.from({ length: 5 }, (_, at) => listing(`ses_${at}`));
    expect([...(await source.fingerprints(all, signal)).keys()]).toEqual(all.map((one) => one.sessionID));
  });
});
