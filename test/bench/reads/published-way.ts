import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Our own plugin for this benchmark alone, that scans in the way that the published one is described to: pages of at
 * most 32 rows and 40 ms, each with a connection and a nonce of its own, every row parsed and its revision computed.
 */
const PLUGIN = `
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { revisionOf } from "./src/contract/revision.ts";
const any = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
export default { id: "published-way", async setup(ctx) {
  const scan = async ({ sessionID, after }) => {
    const database = new DatabaseSync(process.env.OPENCODE_DB, { readOnly: true });
    const key = "nonce/" + randomBytes(12).toString("hex");
    await ctx.storage.set(key, key);
    try {
      if (!database.prepare("SELECT 1 FROM kv WHERE value = ?").get(JSON.stringify(key))) throw new Error("another database");
      const rows = database.prepare("SELECT id, seq, data FROM session_message WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT 1");
      return await page(rows, sessionID, after);
    } finally {
      await ctx.storage.remove(key);
      database.close();
    }
  };
  const registration = await ctx.rpc.register({ id: "published-way", methods: { scan: { input: any, output: any } }, events: {} }, { scan });
  return () => registration.dispose();
} };
async function page(rows, sessionID, after) {
  const end = performance.now() + 40;
  const candidates = [];
  for (let scanned = 0; scanned < 32 && performance.now() < end; scanned += 1) {
    const row = rows.get(sessionID, after);
    if (!row) return { candidates, after: null };
    after = row.seq;
    const message = JSON.parse(row.data);
    const technical = (message.content ?? []).filter((part) => part.type !== "text");
    candidates.push({ messageID: row.id, revision: revisionOf(message.content ?? []), count: technical.length });
    await new Promise((resolve) => setImmediate(resolve));
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
