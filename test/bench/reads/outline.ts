import Database from "better-sqlite3";
import {
  appendOutlines,
  type MessageOutline,
  OutlineOutput,
  READING_RPC,
} from "../../../src/contract/index.ts";
import { answerPages, OpenCode, type OpenCodeClient, passwordHeaders } from "../../../src/opencode/index.ts";
import type { PruningDaemon } from "../../native/support/pruning-daemon.ts";
import { shortest } from "./measure.ts";
import { LARGE } from "./reads.bench.ts";
import { type Line, mb, ms, times } from "./table.ts";

export function clientOf({ daemon }: PruningDaemon): OpenCodeClient {
  return OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password), timeout: 600_000 });
}

/** The whole outline as the app reads it, checked and joined. */
export async function outlineWhole(bench: PruningDaemon, sessionID: string): Promise<MessageOutline[]> {
  const client = clientOf(bench);
  const messages: MessageOutline[] = [];
  const ask = async (cursor: string | undefined, signal: AbortSignal) => {
    const input = { sessionID, ...(cursor === undefined ? {} : { cursor }) };
    const location = { directory: bench.directory };
    return (await client.rpc.call({ rpcID: READING_RPC, method: "outline", input, location }, { signal }))
      .output;
  };
  const pages = answerPages({ ask, check: (answer) => OutlineOutput.parse(answer) }, undefined);
  for await (const page of pages) {
    if (page?.status !== "page") throw new Error(page?.reason);
    appendOutlines(messages, page.messages);
  }
  return messages;
}

async function listWhole(bench: PruningDaemon, sessionID: string): Promise<number> {
  const client = clientOf(bench);
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await client.message.list({
      sessionID,
      limit: 200,
      ...(cursor === undefined ? { order: "asc" as const } : { cursor }),
    });
    count += page.data.length;
    cursor = page.data.length < 200 ? undefined : (page.cursor.next ?? undefined);
  } while (cursor !== undefined);
  return count;
}

async function scanPublishedWay(bench: PruningDaemon, sessionID: string): Promise<number> {
  let count = 0;
  let after: number | null = -1;
  do {
    const { body } = await bench.rpc("scan", { sessionID, after }, { rpcID: "published-way" });
    count += body.output.candidates.length;
    after = body.output.after;
  } while (after !== null);
  return count;
}

/** The bytes of the answers, as they came over the wire. */
async function bytesOf(work: (count: (bytes: number) => void) => Promise<void>): Promise<number> {
  let total = 0;
  await work((bytes) => {
    total += bytes;
  });
  return total;
}

export async function benchOutline(bench: PruningDaemon): Promise<Line[]> {
  const count = (await outlineWhole(bench, LARGE)).length;
  const same = (other: number) => {
    if (other !== count) throw new Error(`${other} messages were read where there are ${count}`);
  };
  // In turns: the machine is faster and slower by the minute, and so is what they are compared with.
  let [outline, list, published] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < 3; round += 1) {
    outline = Math.min(outline, await shortest(3, () => outlineWhole(bench, LARGE)));
    list = Math.min(list, await shortest(1, async () => same(await listWhole(bench, LARGE))));
    published = Math.min(
      published,
      await shortest(1, async () => same(await scanPublishedWay(bench, LARGE))),
    );
  }
  const bytes = await bytesOf(async (add) => {
    let cursor: string | null = null;
    do {
      const input: object = { sessionID: LARGE, ...(cursor === null ? {} : { cursor }) };
      const { body } = await bench.rpc("outline", input, { rpcID: READING_RPC });
      add(Buffer.byteLength(JSON.stringify(body)));
      cursor = body.output.cursor;
    } while (cursor !== null);
  });
  const listed = await bytesOf(async (add) => {
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? "order=asc" : `cursor=${encodeURIComponent(cursor)}`;
      const { body } = await bench.request("GET", `/api/session/${LARGE}/message?limit=200&${query}`);
      add(Buffer.byteLength(JSON.stringify(body)));
      cursor = body.data.length < 200 ? undefined : body.cursor.next;
    } while (cursor !== undefined);
  });
  const database = new Database(bench.daemon.database, { readonly: true });
  const parse = database.prepare("SELECT sum(json_valid(data)) FROM session_message WHERE session_id = ?");
  const bare = await shortest(3, () => parse.get(LARGE));
  database.close();
  const limit = `${ms(bare)} to parse them once (json_valid): ${times(outline / bare)}`;
  return [
    {
      what: `outline of ${count} messages beside message.list`,
      figures: `${ms(outline)}, ${ms(list)}`,
      result: `${times(list / outline)} faster`,
      wanted: "at least 8 x",
      reached: list / outline >= 8,
      limit,
    },
    {
      what: "  bytes over the wire",
      figures: `${mb(bytes)}, ${mb(listed)}`,
      result: `${((100 * bytes) / listed).toFixed(2)} %`,
      wanted: "at most 3 %",
      reached: bytes / listed <= 0.03,
      limit: "",
    },
    {
      what: "  beside a scan in the published plugin's way",
      figures: `${ms(outline)}, ${ms(published)}`,
      result: `${times(published / outline)} faster`,
      wanted: "at least 15 x",
      reached: published / outline >= 15,
      limit,
    },
  ];
}
