import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assistantMessage, reasoningPart, textPart, toolPart, userMessage } from "../support/messages.ts";
import { type NetworkProxy, startProxy } from "../support/proxy.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { runCli } from "../support/run-cli.ts";

const MESSAGES = 300;
const CALL = "POST /api/rpc/codenomad.session-pruning/";

interface Proxied {
  readonly native: PruningDaemon;
  readonly proxy: NetworkProxy;
  /** Prunes by the command, and answers what it printed and how often it called each deleting method. */
  prune(...args: string[]): Promise<Pruned>;
  close(): Promise<void>;
}

interface Pruned {
  readonly code: number | null;
  readonly document: ReturnType<typeof publishedDocument<"prune">>;
  /** Calls by method; those that only ask whether the method is there among them. */
  readonly calls: Readonly<Record<"prune" | "pruneBatch" | "pruneBulk", number>>;
}

async function startProxied(entry?: string): Promise<Proxied> {
  const native = await startPruningDaemon(entry === undefined ? {} : { entry });
  const proxy = await startProxy(() => native.daemon.port);
  return {
    native,
    proxy,
    async prune(...args) {
      proxy.forgetRequests();
      const flags = ["--yes", "--json", "--server", proxy.url];
      const { code, stdout } = await runCli(["prune", ...args, ...flags], native.daemon.environment);
      const calls = (method: string) => proxy.requests.filter((one) => one === CALL + method).length;
      return {
        code,
        document: publishedDocument("prune", stdout),
        calls: {
          prune: calls("prune"),
          pruneBatch: calls("pruneBatch"),
          pruneBulk: calls("pruneBulk"),
        },
      };
    },
    async close() {
      await proxy.close();
      await native.remove();
    },
  };
}

async function importMany({ native }: Proxied, sessionID: string): Promise<void> {
  const answers = Array.from({ length: MESSAGES }, (_, at) =>
    assistantMessage(`msg_${sessionID}_${1_000 + at}`, [
      reasoningPart(`thought ${at}`),
      textPart(`kept ${at}`),
      toolPart(`call_${sessionID}_${at}`, `output ${at}`),
    ]),
  );
  await native.importSession(sessionID, [userMessage(`msg_${sessionID}_user`, "go"), ...answers]);
}

/** The types of the parts that each assistant message has left, and how many parts each receipt tells of. */
function stored({ native }: Proxied, sessionID: string) {
  const database = new Database(native.daemon.database, { readonly: true });
  try {
    const column = (sql: string) => database.prepare(sql).pluck().all(sessionID);
    return {
      left: column(
        "SELECT data FROM session_message WHERE session_id = ? AND type = 'assistant' ORDER BY seq",
      ).map((data) => JSON.parse(String(data)).content.map(({ type }: { type: string }) => type)),
      receipts: column("SELECT removed_count FROM opencode_prune_receipt WHERE session_id = ?"),
    };
  } finally {
    database.close();
  }
}

const each = <Value>(value: Value) => Array.from({ length: MESSAGES }, () => value);

describe("a prune of many messages", () => {
  let proxied: Proxied;

  beforeAll(async () => {
    proxied = await startProxied();
  });
  afterAll(() => proxied?.close());

  it.each([
    ["ses_all", [], 2, ["text"]],
    ["ses_tools", ["--tools"], 1, ["reasoning", "text"]],
  ])("takes far fewer calls than messages: %s", async (sessionID, filter, parts, left) => {
    await importMany(proxied, sessionID);
    const { code, document, calls } = await proxied.prune(sessionID, ...filter);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      complete: true,
      pruned: { messages: MESSAGES, parts: parts * MESSAGES },
      skippedMessages: 0,
      refused: [],
    });
    expect(calls).toEqual({ prune: 0, pruneBatch: 0, pruneBulk: expect.any(Number) });
    expect(calls.pruneBulk).toBeLessThan(MESSAGES / 10);
    expect(stored(proxied, sessionID)).toEqual({ left: each(left), receipts: each(parts) });
  });
});

describe("a prune of many messages by a plugin without pruneBulk", () => {
  let proxied: Proxied;

  beforeAll(async () => {
    proxied = await startProxied("test/native/support/no-bulk-plugin.ts");
  });
  afterAll(() => proxied?.close());

  it("takes whole messages by pruneBatch", async () => {
    await importMany(proxied, "ses_all");
    const { code, document, calls } = await proxied.prune("ses_all");
    expect(code).toBe(0);
    expect(document).toMatchObject({ complete: true, pruned: { messages: MESSAGES, parts: 2 * MESSAGES } });
    expect(calls.prune).toBe(0);
    expect(calls.pruneBatch).toBeLessThan(MESSAGES / 10);
    expect(stored(proxied, "ses_all")).toEqual({ left: each(["text"]), receipts: each(2) });
  });

  it("takes single parts by prune", async () => {
    await importMany(proxied, "ses_tools");
    const { code, document, calls } = await proxied.prune("ses_tools", "--tools");
    expect(code).toBe(0);
    expect(document).toMatchObject({ complete: true, pruned: { messages: MESSAGES, parts: MESSAGES } });
    expect(calls.prune).toBe(MESSAGES);
    expect(stored(proxied, "ses_tools")).toEqual({ left: each(["reasoning", "text"]), receipts: each(1) });
  });
});
