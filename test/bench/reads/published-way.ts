import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Our own plugin for this benchmark alone, that scans in the way that the published one is described to: pages of at
 * most 32 rows and 40 ms in the order of the rows, each with a connection and a nonce of its own; the size told from
 * the content, every row parsed, its technical parts sized, and its revision computed with what browsers have too.
 */
const PLUGIN = `
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { canonicalJson } from "./src/contract/canonical.ts";
const any = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
export default { id: "published-way", async setup(ctx) {
  const scan = async ({ sessionID, after }) => {
    const database = new DatabaseSync(process.env.OPENCODE_DB, { readOnly: true });
    const key = "nonce/" + randomBytes(12).toString("hex");
    await ctx.storage.set(key, key);
    try {
      if (!database.prepare("SELECT 1 FROM kv WHERE value = ?").get(JSON.stringify(key))) throw new Error("another database");
      const rows = database.prepare(ROWS).iterate(sessionID, ctx.location.directory, after, Number.MAX_SAFE_INTEGER);
      return await page(rows);
    } finally {
      await ctx.storage.remove(key);
      database.close();
    }
  };
  const registration = await ctx.rpc.register({ id: "published-way", methods: { scan: { input: any, output: any } }, events: {} }, { scan });
  return () => registration.dispose();
} };
const ROWS = "SELECT message.rowid AS position, message.id, CASE WHEN length(CAST(message.data AS BLOB)) <= 16777216 THEN message.data END AS data"
  + " FROM session_message AS message JOIN session_v2 AS session ON session.id = message.session_id"
  + " WHERE session.id = ? AND session.directory = ? AND message.rowid > ? AND message.rowid <= ? ORDER BY message.rowid LIMIT 32";
async function page(rows) {
  const end = performance.now() + 40;
  const candidates = [];
  let after = null;
  for (const row of rows) {
    after = row.position;
    const { content } = JSON.parse(row.data);
    const technical = (content ?? []).filter((part) => part.type !== "text");
    const bytes = technical.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(content ?? [])));
    candidates.push({ messageID: row.id, revision: Buffer.from(digest).toString("hex"), count: technical.length, bytes });
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() >= end) break;
  }
  return { candidates, after };
}`;

/** Writes the plugin into a folder that OpenCode can load, and answers the folder. */
export async function writePublishedWay(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, '{"name":"published-way","type":"module","main":"./index.js"}');
  await build({
    stdin: { contents: PLUGIN, resolveDir: fileURLToPath(new URL("../../..", import.meta.url)) },
    outfile: `${folder}/index.js`,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
  });
  return folder;
}
