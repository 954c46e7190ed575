import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Our own plugin for this benchmark alone, that scans in the way of the published one. */
const PLUGIN = `
import { DatabaseSync } from "node:sqlite";
import { revisionOf } from "./src/contract/revision.ts";
const any = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
export default { id: "published-way", async setup(ctx) {
  const database = new DatabaseSync(process.env.OPENCODE_DB, { readOnly: true });
  const rows = database.prepare("SELECT id, seq, data FROM session_message WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT 1");
  const scan = async ({ sessionID, after }) => {
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
  };
  const registration = await ctx.rpc.register({ id: "published-way", methods: { scan: { input: any, output: any } }, events: {} }, { scan });
  return () => registration.dispose();
} };`;

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
